interface Example {
  readonly service: string
  /** The name of the bot. */
  readonly full_name: string
  readonly topic: string
  readonly events: readonly { readonly headers?: Readonly<Record<string, string>>; readonly payload: object }[]
}

const github = (event: string, payload: object) => ({
  headers: { 'x-github-event': event },
  payload: {
    repository: { name: 'web', full_name: 'arden/web', html_url: 'https://github.com/arden/web' },
    sender: { login: 'rosalind' },
    ...payload,
  },
})
const pull_request = {
  number: 214,
  title: 'Cache search results for a minute',
  html_url: 'https://github.com/arden/web/pull/214',
  body: 'Searches for the same words take 3 ms instead of 180.\n\nCloses #198.',
  head: { ref: 'cache-search' },
  base: { ref: 'main' },
}
const gitlab = (event: string, payload: object) => ({
  headers: { 'x-gitlab-event': event },
  payload: {
    project: { name: 'api', web_url: 'https://gitlab.example.com/arden/api' },
    user: { name: 'Orlando' },
    ...payload,
  },
})
const commit = (id: string, message: string) => ({
  id,
  message,
  url: `https://gitlab.example.com/arden/api/-/commit/${id}`,
  author: { name: 'Orlando' },
})
const linear = (action: string, state: string, more: object = {}) => ({
  payload: {
    action,
    type: 'Issue',
    url: 'https://linear.app/arden/issue/WEB-42',
    actor: { name: 'Celia' },
    data: {
      identifier: 'WEB-42',
      title: 'Remember the chosen language',
      description: 'It is lost when people sign out.',
      state: { name: state },
      assignee: { name: 'Orlando' },
    },
    ...more,
  },
})
const stripe = (id: string, type: string, object: object) => ({
  payload: { id, type, livemode: true, data: { object } },
})

/** The services in the pictures, with events made by hand. */
export const pictures: readonly Example[] = [
  {
    service: 'github',
    full_name: 'GitHub',
    topic: 'web',
    events: [
      github('pull_request', { action: 'opened', pull_request }),
      github('pull_request_review', {
        action: 'submitted',
        sender: { login: 'celia' },
        pull_request,
        review: { state: 'approved', html_url: `${pull_request.html_url}#review-1`, body: 'Works for me.' },
      }),
      github('pull_request', { action: 'closed', pull_request: { ...pull_request, merged: true } }),
    ],
  },
  {
    service: 'gitlab',
    full_name: 'GitLab',
    topic: 'api',
    events: [
      gitlab('Push Hook', {
        user_name: 'Orlando',
        ref: 'refs/heads/main',
        before: 'a1b2c3d4e5',
        after: 'c0ffee1234',
        commits: [commit('b0b0cafe12', 'Answer in pages of 100'), commit('c0ffee1234', 'Describe pages in the guide')],
      }),
      gitlab('Pipeline Hook', {
        object_attributes: { id: 4711, ref: 'main', status: 'failed' },
        builds: [
          { name: 'build', status: 'success' },
          { name: 'test', status: 'failed' },
        ],
      }),
    ],
  },
  {
    service: 'linear',
    full_name: 'Linear',
    topic: 'issues',
    events: [linear('create', 'Todo'), linear('update', 'Done', { updatedFrom: { stateId: 'a' } })],
  },
  {
    service: 'sentry',
    full_name: 'Sentry',
    topic: 'errors',
    events: [
      {
        payload: {
          action: 'created',
          data: {
            issue: {
              title: "TypeError: Cannot read properties of undefined (reading 'id')",
              culprit: 'checkout/cart.ts in total',
              level: 'error',
              web_url: 'https://arden.sentry.io/issues/42',
              project: { name: 'web', slug: 'web' },
            },
          },
        },
      },
    ],
  },
  {
    service: 'stripe',
    full_name: 'Stripe',
    topic: 'payments',
    events: [
      stripe('evt_1', 'charge.succeeded', {
        id: 'ch_1',
        object: 'charge',
        amount: 4900,
        currency: 'eur',
        customer_email: 'touchstone@example.com',
      }),
      stripe('evt_2', 'invoice.payment_failed', {
        id: 'in_1',
        object: 'invoice',
        amount_due: 12_000,
        currency: 'eur',
        customer_email: 'jaques@example.com',
      }),
    ],
  },
]
