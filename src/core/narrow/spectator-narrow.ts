import { notLoggedIn } from '../kernel/errors.ts'
import { isSpectator } from '../kernel/spectator.ts'
import type { User } from '../kernel/user.ts'
import { canonicalName } from './operators/table.ts'
import type { NarrowTerm } from './operators/terms.ts'

/** Operators about streams and messages; the others are about the reader, or about direct messages. */
const permitted: ReadonlySet<string> = new Set([
  'channels',
  'channel',
  'topic',
  'sender',
  'has',
  'search',
  'near',
  'id',
  'with',
])

/**
 * Throws UNAUTHORIZED where somebody without an account does not say in the narrow that they read web-public streams: it is
 * probably a client that has lost its credentials.
 */
export function requireNarrowFor(user: Pick<User, 'id'>, terms: readonly NarrowTerm[]): void {
  if (!isSpectator(user)) return
  if (!terms.some(isPlace) || !terms.every(isPermitted)) throw notLoggedIn()
}

/** A stream, which must be web-public for the reader to see it, or all that are. */
function isPlace({ operator, operand, negated }: NarrowTerm): boolean {
  const name = canonicalName(operator)
  return !negated && (name === 'channel' || (name === 'channels' && operand === 'web-public'))
}

function isPermitted({ operator, operand }: NarrowTerm): boolean {
  const name = canonicalName(operator)
  return permitted.has(name) || (name === 'is' && operand === 'resolved')
}
