import { can } from '../../access/permissions.ts'
import type { Caller } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import type { ContentFilterView } from '../../shapes/content-filter.ts'
import { isMailGateway } from '../../users/system-bot.ts'
import { contentFilters, matchesIn } from './stored.ts'

export type Matches = readonly ContentFilterView[]

const none: Matches = []

/** Returns the organization's filters that match a text of the caller; none for people who may bypass them. */
export async function filtersMatching(caller: Caller, content: string, html?: string): Promise<Matches> {
  const filters = await contentFilters.get(caller)
  if (!filters || writesForServer(caller)) return none
  const found = await matchesIn(caller, filters, content, html)
  return found.length === 0 || (await can(caller, 'can_bypass_content_filters_group')) ? none : found
}

const writesForServer = ({ user }: Caller): boolean => user.is_system_bot === 1 && !isMailGateway(user)

/** Returns whether one of the filters keeps a text from being sent now. */
export const isRejected = (matches: Matches): boolean => matches.some(({ action }) => action !== 'flag')

/**
 * Throws if one of the filters rejects the text, with the organization's sentence.
 *
 * @param canWait - whether a moderator can approve the text; otherwise a filter that holds messages rejects it
 */
export function requireAccepted(matches: Matches, canWait = false): void {
  const refusing = matches.find(({ action }) => action === 'refuse' || (action === 'hold' && !canWait))
  if (refusing) throw badRequest(refusing.message || "Your text contains something that isn't allowed here.")
}

/** Throws if a filter rejects one of the caller's texts, such as the name of a channel. */
export async function requireAllowedText(
  caller: Caller,
  ...texts: readonly (string | null | undefined)[]
): Promise<void> {
  if (!(await contentFilters.get(caller))) return
  for (const text of texts) if (text) requireAccepted(await filtersMatching(caller, text))
}
