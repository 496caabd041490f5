import * as v from 'valibot'
import { announcesBranch, on, skippedAction, skippedBranch, text, wordFor } from '../../format/event.ts'
import { clause, code, link, quoteMarkdown, untrustedLine } from '../../format/text.ts'
import { details, type Phrase, sentence, shared } from './items.ts'
import { action, common, named, numbered, ofPull, pullItem, user, who } from './shapes.ts'

const pullRequest = v.object({
  ...numbered.entries,
  merged: v.nullish(v.boolean()),
  draft: v.nullish(v.boolean()),
  head: v.object({ ref: v.string() }),
  base: v.object({ ref: v.string() }),
  assignees: v.nullish(v.array(user), []),
})

const pullActions: Readonly<Record<string, Phrase>> = {
  ...shared,
  synchronize: () => ['updated'],
  ready_for_review: () => ['marked', 'as ready for review'],
  converted_to_draft: () => ['converted', 'to a draft'],
  auto_merge_enabled: () => ['enabled auto-merge for'],
  auto_merge_disabled: ({ reason }) => ['disabled auto-merge for', reason ? `: ${untrustedLine(reason)}` : ''],
  review_requested: ({ reviewer }) => [`requested a review from ${reviewer} on`],
  review_request_removed: ({ reviewer }) => [`withdrew the request for a review from ${reviewer} on`],
  enqueued: () => ['added', 'to the merge queue'],
  dequeued: () => ['removed', 'from the merge queue'],
}

export const pullRequestEvent = on(
  v.object({
    ...common,
    ...details,
    action,
    pull_request: pullRequest,
    requested_reviewer: v.nullish(user),
    requested_team: v.nullish(v.object({ name: v.string() })),
    reason: text,
    before: text,
    after: text,
  }),
  (event, view) => {
    const { repository, sender, action, pull_request: pr } = event
    if (!announcesBranch(view, pr.base.ref)) return skippedBranch(pr.base.ref)
    const topic = ofPull(repository, pr)
    const item = named('PR', pr, view)
    if (action === 'closed')
      return { topic, content: `${who(sender)} ${pr.merged ? 'merged' : 'closed without merging'} ${item}.` }
    if (action === 'opened') {
      const draft = pr.draft ? ' as a draft' : ''
      const assigned = clause('assigned to', pr.assignees.map(who))
      const content = `${who(sender)} opened ${named('PR', pr, { ...view, titled: false })}${draft}: **${untrustedLine(pr.title)}**, from ${code(pr.head.ref)} to ${code(pr.base.ref)}${assigned}.${quoteMarkdown(pr.body)}`
      return { topic, content }
    }
    const phrase = wordFor(pullActions, action)
    if (!phrase) return skippedAction(action)
    const { requested_reviewer: person, requested_team: team } = event
    const reviewer = person ? who(person) : team ? `the team ${untrustedLine(team.name)}` : 'somebody'
    return { topic, content: sentence(who(sender), phrase({ ...event, reviewer }), item) }
  },
)

const reviewStates: Readonly<Record<string, string>> = {
  approved: 'approved',
  changes_requested: 'requested changes in',
  commented: 'commented on',
  dismissed: 'had a review dismissed in',
}

export const review = on(
  v.object({
    ...common,
    action,
    pull_request: pullItem,
    review: v.object({ state: v.string(), html_url: v.string(), body: text }),
  }),
  ({ repository, sender, action, pull_request: pr, review: { state, html_url, body } }, view) => {
    const topic = ofPull(repository, pr)
    const item = named('PR', pr, view)
    if (action === 'dismissed')
      return { topic, content: `${who(sender)} dismissed a ${link('review', html_url)} of ${item}.` }
    if (action === 'edited')
      return { topic, content: `${who(sender)} edited a ${link('review', html_url)} of ${item}.${quoteMarkdown(body)}` }
    const verb = wordFor(reviewStates, state)
    if (action !== 'submitted' || !verb) return skippedAction(`${action} ${state}`)
    return { topic, content: `${who(sender)} ${link(verb, html_url)} ${item}.${quoteMarkdown(body)}` }
  },
)

export const reviewThread = on(
  v.object({
    ...common,
    action,
    pull_request: pullItem,
    thread: v.object({ comments: v.nullish(v.array(v.object({ html_url: text })), []) }),
  }),
  ({ repository, sender, action, pull_request: pr, thread }, view) =>
    action === 'resolved' || action === 'unresolved'
      ? {
          topic: ofPull(repository, pr),
          content: `${who(sender)} ${action === 'resolved' ? 'resolved' : 'reopened'} a ${link('conversation', thread.comments[0]?.html_url)} on ${named('PR', pr, view)}.`,
        }
      : skippedAction(action),
)
