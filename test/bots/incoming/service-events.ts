/** An event, and the message that it becomes. */
export interface Example {
  readonly service: string
  readonly headers?: Readonly<Record<string, string>>
  readonly payload: object
  /** Topic and content; undefined for none. */
  readonly message?: readonly [topic: string, content: string]
}
export const there = 'https://example.com'
export const one = (
  service: string,
  payload: object,
  topic: string,
  content: string,
  headers?: Readonly<Record<string, string>>,
): Example => ({
  service,
  payload,
  message: [topic, content],
  ...(headers && { headers }),
})
export const bitbucket = (event: string, payload: object, topic: string, content: string) =>
  one(
    'bitbucket',
    { actor: { display_name: 'Yorick' }, repository: { name: 'elsinore' }, ...payload },
    topic,
    content,
    { 'x-event-key': event },
  )
export const html = (path: string) => ({ html: { href: `${there}/${path}` } })
export const pullrequest = {
  id: 4,
  title: 'Dig',
  links: html('pr/4'),
  description: 'Alas',
  source: { branch: { name: 'grave' } },
  destination: { branch: { name: 'main' } },
}
export const jiraIssue = {
  key: 'ELS-9',
  self: 'https://dane.atlassian.net/rest/api/2/issue/1',
  fields: {
    summary: 'Ghost',
    priority: { name: 'High' },
    assignee: { displayName: 'Hamlet' },
    issuetype: { name: 'Bug' },
  },
}
export const JIRA = '[ELS-9](https://dane.atlassian.net/browse/ELS-9)'
export const yorick = { displayName: 'Yorick' }
export const incident = {
  number: 7,
  title: 'Poison',
  html_url: `${there}/i/7`,
  urgency: 'high',
  service: { summary: 'Banquet' },
  assignees: [{ summary: 'Hamlet' }],
}
const alerts = (status: string) => ({
  status,
  groupLabels: { alertname: 'GhostSeen' },
  alerts: [
    {
      status,
      labels: { alertname: 'GhostSeen', instance: 'wall:1' },
      annotations: { summary: 'Boo @**all**' },
      generatorURL: `${there}/g`,
      silenceURL: `${there}/s`,
    },
  ],
})
export const card = { name: 'Dig', shortLink: 'abc' }
export const CARD = '[Dig](https://trello.com/c/abc)'
export const trello = (type: string, data: object, content: string) =>
  one(
    'trello',
    { action: { type, memberCreator: { fullName: 'Yorick' }, data: { board: { name: 'Garden' }, card, ...data } } },
    'Garden',
    content,
  )
export const circle = {
  project: { name: 'elsinore' },
  pipeline: { number: 1, vcs: { branch: 'main', commit: { subject: 'Dig', author: { name: 'Yorick' } } } },
  workflow: { name: 'ci', status: 'failed', url: `${there}/w` },
}
const linearIssue = {
  identifier: 'ELS-9',
  title: 'Ghost',
  state: { name: 'Done' },
  assignee: { name: 'Hamlet' },
  description: 'Boo',
}
export const netlify = (event: string, more: object, topic: string, content: string) =>
  one(
    'netlify',
    { id: 'd1', name: 'elsinore', admin_url: `${there}/sites/elsinore`, deploy_ssl_url: `${there}/d1`, ...more },
    topic,
    content,
    { 'x-netlify-event': event },
  )
const ofMain = { branch: 'main', context: 'production', title: 'Dig', committer: 'yorick' }
export const DEPLOY = `[deploy](${there}/sites/elsinore/deploys/d1)`
export const gitea = {
  repository: { name: 'elsinore', full_name: 'dane/elsinore', html_url: there },
  sender: { login: 'yorick' },
  pull_request: {
    number: 4,
    title: 'Dig',
    html_url: `${there}/pulls/4`,
    head: { ref: 'grave' },
    base: { ref: 'main' },
  },
}

/** Made by hand from the documentation of each service. */
export const serviceExamples: readonly Example[] = [
  ...['alertmanager', 'grafana'].flatMap((service) => [
    one(
      service,
      alerts('firing'),
      'GhostSeen',
      `**1 alert firing**\n\n* :alert: [GhostSeen](${there}/g) on wall:1: Boo @\u200b**all** ([silence](${there}/s))`,
    ),
    one(
      service,
      alerts('resolved'),
      'GhostSeen',
      `**1 alert resolved**\n\n* :check: [GhostSeen](${there}/g) on wall:1: Boo @\u200b**all**`,
    ),
  ]),
  one(
    'azuredevops',
    {
      eventType: 'git.push',
      message: { text: 'Yorick pushed to main' },
      resource: { repository: { name: 'elsinore' }, _links: { web: { href: `${there}/p` } } },
    },
    'elsinore',
    `Yorick pushed to main ([open](${there}/p))`,
  ),
  one(
    'azuredevops',
    {
      eventType: 'workitem.created',
      message: { text: 'Bug #5 created' },
      resource: { fields: { 'System.TeamProject': 'Court' } },
    },
    'Court',
    'Bug #5 created',
  ),
  bitbucket(
    'repo:push',
    {
      push: {
        changes: [
          {
            new: { type: 'branch', name: 'main' },
            old: { type: 'branch', name: 'main' },
            links: html('c'),
            commits: [{ hash: 'a'.repeat(40), message: 'Dig\n', links: html('a') }],
          },
        ],
      },
    },
    'elsinore / main',
    `Yorick [pushed](${there}/c) 1 commit to branch \`main\`.\n\n* Dig ([aaaaaaa](${there}/a))`,
  ),
  bitbucket(
    'repo:push',
    {
      push: { changes: [{ new: null, old: { type: 'branch', name: 'ghost' } }, { new: { type: 'tag', name: 'v1' } }] },
    },
    'elsinore / branches',
    'Yorick deleted the branch `ghost`.\n\nYorick pushed the tag `v1`.',
  ),
  bitbucket(
    'pullrequest:created',
    { pullrequest },
    'elsinore / PR #4 Dig',
    `Yorick opened [PR #4](${there}/pr/4): **Dig**, from \`grave\` to \`main\`.\n\n~~~ quote\nAlas\n~~~`,
  ),
  bitbucket('pullrequest:fulfilled', { pullrequest }, 'elsinore / PR #4 Dig', `Yorick merged [PR #4](${there}/pr/4).`),
  bitbucket(
    'pullrequest:comment_created',
    { pullrequest, comment: { content: { raw: 'Why?' }, links: html('k') } },
    'elsinore / PR #4 Dig',
    `Yorick [commented](${there}/k) on [PR #4](${there}/pr/4).\n\n~~~ quote\nWhy?\n~~~`,
  ),
  bitbucket(
    'issue:created',
    { issue: { id: 9, title: 'Ghost', links: html('i') } },
    'elsinore / issue #9 Ghost',
    `Yorick opened [issue #9](${there}/i): **Ghost**`,
  ),
  bitbucket(
    'repo:fork',
    { fork: { full_name: 'norway/elsinore', links: html('f') } },
    'elsinore',
    `Yorick forked the repository as [norway/elsinore](${there}/f).`,
  ),
  bitbucket(
    'repo:commit_comment_created',
    { comment: { content: { raw: 'Nice' }, links: html('k') }, commit: { hash: 'b'.repeat(40) } },
    'elsinore',
    `Yorick [commented](${there}/k) on \`bbbbbbb\`.\n\n~~~ quote\nNice\n~~~`,
  ),
  bitbucket(
    'repo:commit_status_updated',
    { commit_status: { name: 'CI', state: 'FAILED', url: `${there}/s`, refname: 'main' } },
    'elsinore / main',
    `The build [CI](${there}/s) is **failed**.`,
  ),
  one(
    'buildkite',
    {
      event: 'build.finished',
      pipeline: { name: 'elsinore' },
      build: {
        number: 5,
        web_url: `${there}/b/5`,
        state: 'passed',
        branch: 'main',
        message: 'Dig\nmore',
        creator: { name: 'Yorick' },
      },
    },
    'elsinore / main',
    `[Build #5](${there}/b/5) for **Dig** on \`main\` by Yorick is **passed**.`,
    { 'x-buildkite-event': 'build.finished' },
  ),
  one(
    'buildkite',
    {
      pipeline: { name: 'elsinore' },
      build: { branch: 'main' },
      job: { name: 'test', state: 'failed', web_url: `${there}/j` },
    },
    'elsinore / main',
    `[Job test](${there}/j) on \`main\` is **failed**.`,
    { 'x-buildkite-event': 'job.finished' },
  ),
  { service: 'buildkite', payload: {}, headers: { 'x-buildkite-event': 'agent.connected' } },
  one(
    'circleci',
    { type: 'workflow-completed', ...circle },
    'elsinore / main',
    `[Workflow ci](${there}/w) for **Dig** on \`main\` by Yorick is **failed**.`,
  ),
  one(
    'circleci',
    { type: 'job-completed', ...circle, job: { name: 'test', status: 'success' } },
    'elsinore / main',
    `[Job test](${there}/w) for **Dig** on \`main\` by Yorick is **success**.`,
  ),
  ...['gitea', 'forgejo'].flatMap((service) => [
    one(
      service,
      { ...gitea, action: 'synchronized' },
      'elsinore / PR #4 Dig',
      `yorick updated [PR #4](${there}/pulls/4).`,
      { [`x-${service}-event`]: 'pull_request' },
    ),
    one(
      service,
      { ...gitea, ref: 'refs/heads/main', compare_url: `${there}/compare`, commits: [] },
      'elsinore / main',
      `yorick [pushed](${there}/compare) nothing new to branch \`main\`.`,
      { [`x-${service}-event`]: 'push' },
    ),
    one(
      service,
      { ...gitea, action: 'reviewed', review: { content: 'Fine' } },
      'elsinore / PR #4 Dig',
      `yorick approved [PR #4](${there}/pulls/4).\n\n~~~ quote\nFine\n~~~`,
      { [`x-${service}-event`]: 'pull_request_approved' },
    ),
  ]),
  one('homeassistant', { title: 'Doors', message: 'The gate is open' }, 'Doors', 'The gate is open'),
  one('ifttt', { topic: 'Weather', content: 'Fog' }, 'Weather', 'Fog'),
  one('zapier', { content: 'Somebody signed up' }, 'Zapier', 'Somebody signed up'),
  one(
    'jenkins',
    {
      name: 'elsinore',
      build: {
        full_url: `${there}/b`,
        number: 5,
        phase: 'COMPLETED',
        status: 'FAILURE',
        scm: { branch: 'origin/main' },
      },
    },
    'elsinore / main',
    `[Build #5](${there}/b) on \`main\` is **failure**.`,
  ),
  { service: 'jenkins', payload: { name: 'elsinore', build: { number: 5, phase: 'FINALIZED', status: 'FAILURE' } } },
  one(
    'jira',
    { webhookEvent: 'jira:issue_created', user: yorick, issue: jiraIssue },
    'ELS-9 Ghost',
    `Yorick created the bug ${JIRA}: **Ghost**, priority High, assigned to Hamlet.`,
  ),
  one(
    'jira',
    {
      webhookEvent: 'jira:issue_updated',
      user: yorick,
      issue: jiraIssue,
      changelog: {
        items: [
          { field: 'status', fromString: 'Open', toString: 'Done' },
          { field: 'description', fromString: 'a', toString: 'b' },
        ],
      },
    },
    'ELS-9 Ghost',
    `Yorick changed status from Open to **Done** and description of ${JIRA}.`,
  ),
  one(
    'jira',
    { webhookEvent: 'jira:issue_deleted', user: yorick, issue: jiraIssue },
    'ELS-9 Ghost',
    `Yorick deleted ${JIRA}.`,
  ),
  one(
    'jira',
    { webhookEvent: 'comment_created', issue: jiraIssue, comment: { author: yorick, body: 'Boo' } },
    'ELS-9 Ghost',
    `Yorick commented on ${JIRA}.\n\n~~~ quote\nBoo\n~~~`,
  ),
  { service: 'jira', payload: { webhookEvent: 'jira:issue_updated', user: yorick, issue: jiraIssue } },
  one(
    'linear',
    { type: 'Issue', action: 'create', url: `${there}/l`, actor: { name: 'Yorick' }, data: linearIssue },
    'ELS-9 Ghost',
    `Yorick created [ELS-9](${there}/l): **Ghost**, assigned to Hamlet\n\n~~~ quote\nBoo\n~~~`,
  ),
  one(
    'linear',
    {
      type: 'Issue',
      action: 'update',
      url: `${there}/l`,
      actor: { name: 'Yorick' },
      data: linearIssue,
      updatedFrom: { stateId: 'x', updatedAt: 'y' },
    },
    'ELS-9 Ghost',
    `Yorick changed the state of [ELS-9](${there}/l): state **Done**.`,
  ),
  { service: 'linear', payload: { type: 'Issue', action: 'update', data: linearIssue, updatedFrom: { sortOrder: 1 } } },
  one(
    'linear',
    {
      type: 'Comment',
      action: 'create',
      url: `${there}/k`,
      actor: { name: 'Yorick' },
      data: { body: 'Boo', issue: linearIssue },
    },
    'ELS-9 Ghost',
    `Yorick [commented](${there}/k) on \`ELS-9\`.\n\n~~~ quote\nBoo\n~~~`,
  ),
  one(
    'linear',
    { type: 'Project', action: 'create', url: `${there}/p`, actor: { name: 'Yorick' }, data: { name: 'Court' } },
    'Linear / projects',
    `Yorick created the project [Court](${there}/p).`,
  ),
  { service: 'linear', payload: { type: 'Reaction', action: 'create' } },
  netlify(
    'deploy_created',
    ofMain,
    'elsinore / main',
    `The ${DEPLOY} **Dig** of \`main\` to [production](${there}/d1) by yorick **succeeded** :check:.`,
  ),
  netlify(
    'deploy_failed',
    { branch: 'grave', context: 'deploy-preview', error_message: 'Command failed' },
    'elsinore / grave',
    `The ${DEPLOY} of \`grave\` to [deploy preview](${there}/d1) **failed** :alert:.\n\n~~~ quote\nCommand failed\n~~~`,
  ),
  netlify(
    'deploy_locked',
    {},
    'elsinore',
    `The ${DEPLOY} of [site](${there}/d1) is locked, so that later ones are not published automatically.`,
  ),
  netlify(
    'submission_created',
    { name: 'Ophelia', form_name: 'contact', site_url: there, body: 'Alas' },
    'Netlify / contact',
    `Ophelia submitted the form [contact](${there}).\n\n~~~ quote\nAlas\n~~~`,
  ),
  one(
    'pagerduty',
    { event: { event_type: 'incident.triggered', agent: { summary: 'Ghost' }, data: incident } },
    'Banquet / Poison',
    `[#7 Poison](${there}/i/7) (urgency: high) was triggered by Ghost. Assigned to Hamlet.`,
  ),
  one('pagerduty', { event: { event_type: 'pagey.ping', data: {} } }, 'PagerDuty', 'The webhook is set up.'),
  one(
    'sentry',
    {
      action: 'created',
      data: {
        issue: {
          title: 'Poison',
          culprit: 'cup.drink',
          level: 'error',
          web_url: `${there}/s`,
          project: { name: 'feast' },
        },
      },
    },
    'feast / Poison',
    `[Poison](${there}/s) (error) in \`cup.drink\` is new.`,
  ),
  one(
    'sentry',
    { action: 'triggered', data: { event: { title: 'Poison', web_url: `${there}/s` }, triggered_rule: 'Cups' } },
    'Sentry / Poison',
    `[Poison](${there}/s) triggered the alert **Cups**.`,
  ),
  one(
    'sentry',
    { action: 'created', data: { error: { title: 'Poison', web_url: `${there}/s` } } },
    'Sentry / Poison',
    `[Poison](${there}/s) happened.`,
  ),
  one(
    'sentry',
    { action: 'critical', data: { description_title: 'Too many', web_url: `${there}/m`, metric_alert: {} } },
    'Sentry / metric alerts',
    `[Too many](${there}/m) is **critical**.`,
  ),
  one(
    'sentry',
    { action: 'created', actor: { name: 'Yorick' }, data: { comment: 'Alas', project_slug: 'feast' } },
    'feast',
    'Yorick commented on an issue.\n\n~~~ quote\nAlas\n~~~',
  ),
  one(
    'sentry',
    { project_name: 'feast', message: 'Poison', url: `${there}/s`, level: 'error' },
    'feast / Poison',
    `[Poison](${there}/s) (error) happened.`,
  ),
  one(
    'statuspage',
    {
      page: { status_description: 'Partial outage' },
      incident: {
        name: 'No ghosts',
        status: 'investigating',
        impact: 'major',
        shortlink: `${there}/s`,
        incident_updates: [{ body: 'We look into it.' }, { body: 'Earlier' }],
      },
    },
    'No ghosts',
    `The incident [No ghosts](${there}/s) is **investigating** (impact: major).\n\n~~~ quote\nWe look into it.\n~~~`,
  ),
  one(
    'statuspage',
    { component: { name: 'Walls' }, component_update: { old_status: 'operational', new_status: 'major_outage' } },
    'Walls',
    ':alert: **Walls** changed from **operational** to **major outage**.',
  ),
  one(
    'stripe',
    {
      type: 'charge.succeeded',
      livemode: true,
      data: { object: { id: 'ch_1', amount: 1250, currency: 'eur', email: 'ann@example.com' } },
    },
    'Stripe / charge',
    '[charge](https://dashboard.stripe.com/search?query=ch_1) of 12.50 EUR for ann@example.com: **succeeded**',
  ),
  one(
    'stripe',
    {
      type: 'invoice.payment_failed',
      livemode: false,
      data: { object: { id: 'in_1', amount_due: 900, currency: 'jpy' } },
    },
    'Stripe / invoice',
    '[invoice](https://dashboard.stripe.com/test/search?query=in_1) of 900 JPY: **payment failed**',
  ),
  trello('createCard', { list: { name: 'To do' } }, `Yorick created ${CARD} in **To do**.`),
  trello(
    'updateCard',
    { listBefore: { name: 'To do' }, listAfter: { name: 'Done' } },
    `Yorick moved ${CARD} from **To do** to **Done**.`,
  ),
  trello('updateCard', { card: { ...card, closed: true }, old: { closed: false } }, `Yorick archived ${CARD}.`),
  trello('commentCard', { text: 'Alas' }, `Yorick commented on ${CARD}.\n\n~~~ quote\nAlas\n~~~`),
  { service: 'trello', payload: { action: { type: 'updateCard', data: { card, old: { pos: 1 } } } } },
  { service: 'trello', payload: { action: { type: 'voteOnCard', data: {} } } },
  one(
    'uptime_kuma',
    { monitor: { name: 'gate', url: there }, heartbeat: { status: 0, msg: 'timeout' }, msg: 'x' },
    'gate',
    `[gate](${there}) :alert: is **down**: timeout`,
  ),
  one('uptime_kuma', { msg: 'Testing' }, 'Uptime Kuma', 'Testing'),
  one(
    'zendesk',
    { type: 'zen:event-type:ticket.created', detail: { id: 5, subject: 'No cup', status: 'NEW', description: 'Help' } },
    '#5 No cup',
    'Ticket #5 No cup (new): **ticket.created**\n\n~~~ quote\nHelp\n~~~',
  ),
  one(
    'zendesk',
    { ticket_id: 5, ticket_title: 'No cup', ticket_url: `${there}/t`, message: 'Help' },
    '#5 No cup',
    `[Ticket #5 No cup](${there}/t)\n\n~~~ quote\nHelp\n~~~`,
  ),
]
