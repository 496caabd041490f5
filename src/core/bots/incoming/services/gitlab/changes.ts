import * as v from 'valibot'
import { skip, text, wordFor } from '../../format/event.ts'
import { code, listed, untrustedLine } from '../../format/text.ts'
import { people, who } from './shapes.ts'

const verbs: Readonly<Record<string, string>> = {
  open: 'opened',
  reopen: 'reopened',
  close: 'closed',
  merge: 'merged',
  approved: 'approved',
  approval: 'approved',
  unapproved: 'withdrew the approval of',
  unapproval: 'withdrew the approval of',
}
export const verbOf = (action: string) => wordFor(verbs, action)

/** What an update changed, as GitLab lists it: before and after. */
export const changes = v.nullish(
  v.object({
    assignees: v.nullish(v.object({ previous: people, current: people })),
    reviewers: v.nullish(v.object({ previous: people, current: people })),
    labels: v.nullish(v.object({ current: v.nullish(v.array(v.object({ title: v.string() })), []) })),
    milestone_id: v.nullish(v.unknown()),
    title: v.nullish(v.object({ previous: text, current: text })),
    description: v.nullish(v.unknown()),
    draft: v.nullish(v.object({ current: v.nullish(v.boolean()) })),
    due_date: v.nullish(v.object({ current: text })),
    target_branch: v.nullish(v.object({ current: text })),
  }),
  {},
)

/** The changes of an update, in words; empty if none of them is announced. */
export function changed(found: v.InferOutput<typeof changes>): string {
  const { assignees, reviewers, labels, milestone_id, title, description, draft, due_date, target_branch } = found ?? {}
  const names = (list: readonly { name: string }[]) => listed(list.map(who)) || 'nobody'
  return listed(
    [
      title && `changed the title to **${untrustedLine(title.current)}**`,
      description !== undefined && description !== null && 'changed the description',
      draft && (draft.current ? 'marked it as a draft' : 'marked it as ready'),
      assignees && `assigned ${names(assignees.current)}`,
      reviewers && `requested a review from ${names(reviewers.current)}`,
      labels && `set the labels ${listed(labels.current.map(({ title }) => code(title))) || 'to none'}`,
      milestone_id !== undefined && milestone_id !== null && 'changed the milestone',
      due_date && `set the due date ${due_date.current ? untrustedLine(due_date.current) : 'to none'}`,
      target_branch && `changed the target to ${code(target_branch.current)}`,
    ].filter((part): part is string => typeof part === 'string'),
  )
}

export const updated = (topic: string, said: string, what: string) =>
  what ? { topic, content: `${said}: ${what}.` } : skip('The update changed nothing that is announced.')
