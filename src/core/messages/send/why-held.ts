import { after, type Soon } from '../../../storage/index.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import type { Matches } from '../../review/filters/require.ts'
import { isNewcomer } from '../../review/newcomers.ts'
import type { HeldMessageView } from '../../shapes/held-message.ts'
import { applying } from './content-filters.ts'
import { isFree } from './direct-permission.ts'
import type { Prepared } from './prepare.ts'
import type { Recipient } from './recipient.ts'

export type WhyHeld = Pick<HeldMessageView, 'reason' | 'matched'>

/** Returns why a message must wait for a moderator; undefined if it needn't. */
export function whyHeld(tx: Tx, recipient: Recipient, { matches }: Prepared): Soon<WhyHeld | undefined> {
  const holding = holdingOf(matches)
  if (holding.length > 0 && applying(tx, recipient, holding).length > 0)
    return { reason: 'filter', matched: holding.map(({ pattern }) => pattern).join(', ') }
  return after(isNewcomer(tx), (isNew) => {
    const isExempt = !isNew || (recipient.kind === 'direct' && isFree(tx, recipient.people))
    return isExempt ? undefined : newAccount
  })
}

const newAccount: WhyHeld = { reason: 'new_account', matched: '' }

const holdingOf = (matches: Matches): Matches =>
  matches.length === 0 ? matches : matches.filter(({ action }) => action === 'hold')

/** Throws for a message that must wait, where it can't: email and webhooks have nobody to tell. */
export async function requireUnheld(tx: Tx, recipient: Recipient, prepared: Prepared): Promise<void> {
  if (await whyHeld(tx, recipient, prepared))
    throw badRequest('A moderator must approve this message first. Send it with a client for people.')
}
