import * as v from 'valibot'
import { on, skip, skippedAction, wordFor } from '../../format/event.ts'
import { clause, quoteMarkdown, untrustedLine } from '../../format/text.ts'
import { details, type Phrase, sentence, shared } from './items.ts'
import { action, common, named, numbered, ofDiscussion, ofIssue, repository, user, who } from './shapes.ts'

const issueActions: Readonly<Record<string, Phrase>> = {
  ...shared,
  closed: () => ['closed'],
  deleted: () => ['deleted'],
  transferred: () => ['transferred'],
  pinned: () => ['pinned'],
  unpinned: () => ['unpinned'],
  typed: () => ['set the type of'],
  untyped: () => ['removed the type of'],
}

export const issues = on(
  v.object({
    ...common,
    ...details,
    action,
    issue: v.object({ ...numbered.entries, assignees: v.nullish(v.array(user), []) }),
  }),
  (event, view) => {
    const { repository, sender, action, issue } = event
    const topic = ofIssue(repository, issue)
    if (action === 'opened') {
      const assigned = clause('assigned to', issue.assignees.map(who))
      const about = `${who(sender)} opened ${named('issue', issue, { ...view, titled: false })}`
      return { topic, content: `${about}: **${untrustedLine(issue.title)}**${assigned}${quoteMarkdown(issue.body)}` }
    }
    const phrase = wordFor(issueActions, action)
    if (!phrase) return skippedAction(action)
    return { topic, content: sentence(who(sender), phrase(event), named('issue', issue, view)) }
  },
)

const discussionVerbs: Readonly<Record<string, string>> = {
  edited: 'edited',
  deleted: 'deleted',
  answered: 'chose an answer to',
  unanswered: 'withdrew the answer to',
  closed: 'closed',
  reopened: 'reopened',
  locked: 'locked',
  unlocked: 'unlocked',
  pinned: 'pinned',
  unpinned: 'unpinned',
  transferred: 'transferred',
  category_changed: 'changed the category of',
  labeled: 'added a label to',
  unlabeled: 'removed a label from',
}

export const discussion = on(
  v.object({
    ...common,
    action,
    discussion: v.object({ ...numbered.entries, category: v.nullish(v.object({ name: v.string() })) }),
  }),
  ({ repository, sender, action, discussion }, view) => {
    const topic = ofDiscussion(repository, discussion)
    if (action === 'created') {
      const where = discussion.category ? ` in ${untrustedLine(discussion.category.name)}` : ''
      const item = named('discussion', discussion, { ...view, titled: false })
      return {
        topic,
        content: `${who(sender)} started ${item}${where}: **${untrustedLine(discussion.title)}**${quoteMarkdown(discussion.body)}`,
      }
    }
    const verb = wordFor(discussionVerbs, action)
    return verb
      ? { topic, content: `${who(sender)} ${verb} ${named('discussion', discussion, view)}.` }
      : skippedAction(action)
  },
)

const subIssue = v.object({ sub_issue: numbered, parent_issue: numbered })
export const subIssues = on(v.object({ ...subIssue.entries, action, sender: user, repository }), (event, view) => {
  const { action, sender, repository, sub_issue, parent_issue } = event
  if (action !== 'sub_issue_added' && action !== 'sub_issue_removed')
    return skip('The parent issue announces the same change.')
  const verb = action === 'sub_issue_added' ? ['added', 'to'] : ['removed', 'from']
  return {
    topic: ofIssue(repository, parent_issue),
    content: `${who(sender)} ${verb[0]} the sub-issue ${named('issue', sub_issue, { ...view, titled: true })} ${verb[1]} ${named('issue', parent_issue, view)}.`,
  }
})

const relations: Readonly<Record<string, string>> = {
  relates_to_added: 'as related to',
  relates_to_removed: 'as no longer related to',
}
/** GitHub names the other issue only if it is in the same repository. */
export const relatedIssue = on(
  v.object({ ...common, action, issue: numbered, related_issue: v.nullish(numbered) }),
  ({ repository, sender, action, issue, related_issue: other }, view) => {
    const words = wordFor(relations, action)
    if (!words) return skippedAction(action)
    const to = other ? named('issue', other, { ...view, titled: true }) : 'an issue of another repository'
    return {
      topic: ofIssue(repository, issue),
      content: `${who(sender)} marked ${named('issue', issue, view)} ${words} ${to}.`,
    }
  },
)
