import * as v from 'valibot'
import { short } from '../../format/commits.ts'
import { on, type Reader, skippedAction, type View } from '../../format/event.ts'
import { code, link, quoteMarkdown, topicName } from '../../format/text.ts'
import {
  action,
  comment,
  common,
  type Named,
  named,
  numbered,
  ofDiscussion,
  ofIssue,
  ofPull,
  pullItem,
  who,
} from './shapes.ts'

/** A comment on an item: made, edited or deleted. */
export function commented(
  sender: Named,
  action: string,
  { html_url, body }: v.InferOutput<typeof comment>,
  item: string,
) {
  if (action === 'created') return `${who(sender)} ${link('commented', html_url)} on ${item}.${quoteMarkdown(body)}`
  if (action === 'edited')
    return `${who(sender)} edited a ${link('comment', html_url)} on ${item}.${quoteMarkdown(body)}`
  return action === 'deleted' ? `${who(sender)} deleted a comment on ${item}.${quoteMarkdown(body)}` : undefined
}

const commentOn = <E extends v.ObjectEntries>(
  entries: E,
  subject: (
    event: v.InferOutput<v.ObjectSchema<E, undefined>>,
    repo: { name: string },
    view: View,
  ) => { topic: string; item: string },
): Reader => {
  const place = v.object({ ...common, action: v.nullish(action, 'created'), comment })
  return (payload, event, view) =>
    on(place, ({ repository: repo, sender, action, comment }) =>
      on(v.object(entries), (output) => {
        const { topic, item } = subject(output, repo, view)
        const content = commented(sender, action, comment, item)
        return content === undefined ? skippedAction(action) : { topic, content }
      })(payload, event, view),
    )(payload, event, view)
}

export const reviewComment = commentOn({ pull_request: pullItem }, ({ pull_request: pr }, repo, view) => ({
  topic: ofPull(repo, pr),
  item: named('PR', pr, view),
}))

export const issueComment = commentOn(
  { issue: v.object({ ...numbered.entries, pull_request: v.nullish(v.unknown()) }) },
  ({ issue }, repo, view) =>
    issue.pull_request
      ? { topic: ofPull(repo, issue), item: named('PR', issue, view) }
      : { topic: ofIssue(repo, issue), item: named('issue', issue, view) },
)

export const discussionComment = commentOn({ discussion: numbered }, ({ discussion }, repo, view) => ({
  topic: ofDiscussion(repo, discussion),
  item: named('discussion', discussion, view),
}))

export const commitComment = commentOn(
  { comment: v.object({ commit_id: v.string() }) },
  ({ comment: { commit_id } }, repo) => ({ topic: topicName(repo.name), item: code(short(commit_id)) }),
)
