import * as v from 'valibot'
import { on, skippedAction, text } from '../../format/event.ts'
import { clause, quoteMarkdown, untrustedLine } from '../../format/text.ts'
import { changed, changes, updated, verbOf } from './changes.ts'
import { common, issueNamed, numbered, ofIssue, people, who } from './shapes.ts'

export const issue = on(
  v.object({
    ...common,
    object_attributes: v.object({ ...numbered, action: text, description: text }),
    assignees: people,
    changes,
  }),
  ({ project: { name }, user, object_attributes: about, assignees, changes }, view) => {
    const topic = ofIssue(name, about)
    if (about.action === 'update')
      return updated(topic, `${who(user)} updated ${issueNamed(about, view)}`, changed(changes))
    const verb = verbOf(about.action)
    if (!verb) return skippedAction(about.action)
    if (about.action !== 'open') return { topic, content: `${who(user)} ${verb} ${issueNamed(about, view)}.` }
    const assigned = clause('assigned to', assignees.map(who))
    const said = `${who(user)} ${verb} ${issueNamed(about, { ...view, titled: false })}`
    return {
      topic,
      content: `${said}: **${untrustedLine(about.title)}**${assigned}${quoteMarkdown(about.description)}`,
    }
  },
)
