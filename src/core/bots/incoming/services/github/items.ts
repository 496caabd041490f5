import * as v from 'valibot'
import { code, untrustedLine } from '../../format/text.ts'
import { type Named, user, who } from './shapes.ts'

/** What labels, milestones, assignees and reviewers have in common: the names by which people know them. */
export const details = {
  label: v.nullish(v.object({ name: v.string() })),
  milestone: v.nullish(v.object({ title: v.string() })),
  assignee: v.nullish(user),
}

/** What an action on an issue or a pull request does: the words before and after the item. */
export type Phrase = (event: {
  readonly label?: { readonly name: string } | null | undefined
  readonly milestone?: { readonly title: string } | null | undefined
  readonly assignee?: Named | null | undefined
  readonly reviewer?: string | undefined
  readonly reason?: string | null | undefined
}) => readonly [before: string, after?: string]

export const shared: Readonly<Record<string, Phrase>> = {
  reopened: () => ['reopened'],
  edited: () => ['edited'],
  assigned: ({ assignee }) => [assignee ? `assigned ${who(assignee)} to` : 'assigned'],
  unassigned: ({ assignee }) => [assignee ? `unassigned ${who(assignee)} from` : 'unassigned'],
  labeled: ({ label }) => [`added the label ${code(label?.name ?? '')} to`],
  unlabeled: ({ label }) => [`removed the label ${code(label?.name ?? '')} from`],
  milestoned: ({ milestone }) => ['added', `to the milestone **${untrustedLine(milestone?.title ?? '')}**`],
  demilestoned: ({ milestone }) => ['removed', `from the milestone **${untrustedLine(milestone?.title ?? '')}**`],
  locked: () => ['locked'],
  unlocked: () => ['unlocked'],
}

export const sentence = (subject: string, [before, after = '']: readonly [string, string?], item: string) =>
  `${subject} ${before} ${item}${after === '' || after.startsWith(':') ? after : ` ${after}`}.`
