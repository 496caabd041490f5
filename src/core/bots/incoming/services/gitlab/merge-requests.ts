import * as v from 'valibot'
import { short } from '../../format/commits.ts'
import { announcesBranch, on, skippedAction, skippedBranch, text } from '../../format/event.ts'
import { clause, code, firstLine, link, quoteMarkdown, untrustedLine } from '../../format/text.ts'
import { changed, changes, updated, verbOf } from './changes.ts'
import { common, merge, numbered, ofMerge, people, who } from './shapes.ts'

export const mergeRequest = on(
  v.object({
    ...common,
    object_attributes: v.object({
      ...numbered,
      action: text,
      description: text,
      source_branch: v.string(),
      target_branch: v.string(),
      oldrev: text,
      draft: v.nullish(v.boolean()),
      last_commit: v.nullish(v.object({ id: text, message: text, url: text })),
    }),
    assignees: people,
    reviewers: people,
    changes,
  }),
  ({ project: { name }, user, object_attributes: about, assignees, reviewers, changes }, view) => {
    if (!announcesBranch(view, about.target_branch)) return skippedBranch(about.target_branch)
    const topic = ofMerge(name, about, view)
    if (about.action === 'update') {
      const { oldrev, last_commit: commit } = about
      const added = oldrev
        ? `pushed ${commit?.id ? `${link(short(commit.id), commit.url)} ${firstLine(commit.message)}` : 'commits'}`
        : ''
      const what = [added, changed(changes)].filter(Boolean).join(', ')
      return updated(topic, `${who(user)} updated ${merge(about, view)}`, what)
    }
    const verb = verbOf(about.action)
    if (!verb) return skippedAction(about.action)
    const said = `${who(user)} ${verb} ${merge(about, about.action === 'open' ? { ...view, titled: false } : view)}`
    if (about.action !== 'open') return { topic, content: `${said}.` }
    const branches = `from ${code(about.source_branch)} to ${code(about.target_branch)}`
    const assigned = clause('assigned to', assignees.map(who))
    const reviewed = clause('to be reviewed by', reviewers.map(who))
    return {
      topic,
      content: `${said}${about.draft ? ' as a draft' : ''}: **${untrustedLine(about.title)}**, ${branches}${assigned}${reviewed}.${quoteMarkdown(about.description)}`,
    }
  },
)
