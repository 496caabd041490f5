import * as v from 'valibot'
import { email } from '../accounts/create.ts'
import type { Context, Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import type { User } from '../kernel/user.ts'
import { findUserByEmail } from '../users/access.ts'

/**
 * Returns the domain of bots' addresses, which is the server's. An IPv6 address is rewritten because it can't be part
 * of an email address.
 */
export const botDomain = ({ origin }: Pick<Context, 'origin'>): string =>
  new URL(origin).hostname.replace(/[[\]]/g, '').replaceAll(':', '-')

/**
 * Returns the address of a bot with this short name.
 *
 * @param bot the bot that may have it already
 * @throws ChatError BAD_REQUEST if the name is invalid or the address is taken
 */
export async function freeAddress(tx: Tx, short_name: string, bot?: User): Promise<string> {
  const address = `${short_name.trim()}-bot@${botDomain(tx)}`
  if (!short_name.trim() || !v.is(email, address)) throw badRequest('Bad name or username')
  const taken = await findUserByEmail(tx.db, address)
  if (taken && taken.id !== bot?.id) throw badRequest('Username already in use')
  return address
}
