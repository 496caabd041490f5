import { after, type Soon } from '../../../storage/index.ts'
import { can } from '../../access/permissions.ts'
import type { Caller, Context } from '../../kernel/context.ts'
import { badRequest, invalidField } from '../../kernel/errors.ts'
import { isMailGateway } from '../../kernel/system-bots.ts'
import { renderPlain } from '../../markup/render/render-plain.ts'
import type { ContentFilterView } from '../../shapes/content-filter.ts'
import { type ContentFilters, contentFilters, matchesIn } from './stored.ts'

export type Matches = readonly ContentFilterView[]

const none: Matches = []

/** Returns the organization's filters that match a text of the caller; none for people who may bypass them. */
export const filtersMatching = (caller: Caller, content: string, html?: string): Soon<Matches> =>
  after(contentFilters.get(caller), (filters) =>
    !filters || writesForServer(caller) ? none : matching(caller, filters, content, html),
  )

async function matching(caller: Caller, filters: ContentFilters, content: string, html?: string): Promise<Matches> {
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
  const refusing = refusingOf(matches, canWait)
  if (refusing) throw badRequest(sentenceOf(refusing))
}

const refusingOf = (matches: Matches, canWait = false): ContentFilterView | undefined =>
  matches.find(({ action }) => action === 'refuse' || (action === 'hold' && !canWait))

const sentenceOf = ({ message }: ContentFilterView): string =>
  message || "Your text contains something that isn't allowed here. Change it, or ask a moderator."

/** Throws if a filter rejects a text of the caller that can't wait, such as an option of a poll. */
export async function requireAllowedText(caller: Caller, text: string): Promise<void> {
  if (text !== '' && (await contentFilters.get(caller))) requireAccepted(await filtersMatching(caller, text))
}

/** Throws if a filter rejects one of the names and descriptions that the caller gives, with the error beside its field. */
export async function requireAllowedFields(
  caller: Caller,
  fields: Readonly<Record<string, string | null | undefined>>,
): Promise<void> {
  if (!(await contentFilters.get(caller))) return
  for (const [field, text] of Object.entries(fields)) {
    if (!text) continue
    const refusing = refusingOf(await filtersMatching(caller, text, renderPlain(text)))
    if (refusing) throw invalidField(field, sentenceOf(refusing))
  }
}

/** Returns why filters reject a name for a new account, whose owner can't bypass filters yet; undefined if they accept it. */
export async function nameProblem(context: Context, full_name: string): Promise<string | undefined> {
  const filters = await contentFilters.get(context)
  const refusing = filters && refusingOf(await matchesIn(context, filters, full_name))
  return refusing ? sentenceOf(refusing) : undefined
}
