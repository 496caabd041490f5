import * as v from 'valibot'
import { short } from '../../format/commits.ts'
import { number, on, text } from '../../format/event.ts'
import { link, quoteMarkdown, topicName, untrustedLine } from '../../format/text.ts'
import { common, issueNamed, merge, ofIssue, ofMerge, who } from './shapes.ts'

export const note = on(
  v.object({
    ...common,
    object_attributes: v.object({ note: text, url: text, action: text }),
    issue: v.nullish(v.object({ iid: number, title: v.string() })),
    merge_request: v.nullish(v.object({ iid: number, title: v.string() })),
    snippet: v.nullish(v.object({ title: text })),
    commit: v.nullish(v.object({ id: v.string(), url: text })),
  }),
  ({ project: { name, web_url }, user, object_attributes: about, issue, merge_request: mr, snippet, commit }, view) => {
    const said =
      about.action === 'update'
        ? `${who(user)} edited a ${link('comment', about.url)} on`
        : `${who(user)} ${link('commented', about.url)} on`
    if (mr)
      return {
        topic: ofMerge(name, mr, view),
        content: `${said} ${merge({ ...mr, url: `${web_url}/-/merge_requests/${mr.iid}` }, view)}.${quoteMarkdown(about.note)}`,
      }
    if (issue)
      return {
        topic: ofIssue(name, issue),
        content: `${said} ${issueNamed({ ...issue, url: `${web_url}/-/issues/${issue.iid}` }, view)}.${quoteMarkdown(about.note)}`,
      }
    const what = commit ? link(short(commit.id), commit.url) : `the snippet **${untrustedLine(snippet?.title ?? '')}**`
    return { topic: topicName(name), content: `${said} ${what}.${quoteMarkdown(about.note)}` }
  },
)

export const emoji = on(
  v.object({ ...common, event_type: text, object_attributes: v.object({ name: v.string(), awarded_on_url: text }) }),
  ({ project, user, event_type, object_attributes: { name, awarded_on_url } }) => ({
    topic: topicName(project.name),
    content: `${who(user)} ${event_type === 'revoke' ? 'removed' : 'added'} the reaction :${untrustedLine(name).replace(/\W/g, '_')}: ${link('here', awarded_on_url)}.`,
  }),
)
