import * as v from 'valibot'
import { MAX_LIST_LENGTH, MAX_SUBSCRIPTION_PAIRS } from '../../kernel/base/limits.ts'
import type { Caller } from '../../kernel/context.ts'
import { badRequest, ChatError } from '../../kernel/errors.ts'
import { ids, text } from '../../kernel/fields.ts'
import { pacer } from '../../kernel/slices.ts'
import type { User } from '../../kernel/user.ts'
import { findUsers } from '../../users/access.ts'
import { findUserByAddress } from '../../users/email.ts'

export const principals = v.union([
  ids,
  v.pipe(v.array(text), v.maxLength(MAX_LIST_LENGTH, '{name} has too many entries')),
])

/** Streams in the first of several writes; a request for no more is one commit. */
export const STREAMS_AT_FIRST = 32
const PEOPLE_AT_A_TIME = 500

/** The users, divided so that subscribing one group to one stream fits into a short write. */
export function* peopleAtATime(users: readonly User[]): Generator<readonly User[]> {
  for (let i = 0; i < users.length; i += PEOPLE_AT_A_TIME) yield users.slice(i, i + PEOPLE_AT_A_TIME)
}

/** Throws if the request has more than the allowed number of pairs of a user and a stream. */
export function requireFewPairs(streams: readonly unknown[], users: readonly User[]): void {
  if (streams.length * users.length <= MAX_SUBSCRIPTION_PAIRS) return
  throw badRequest(`Too many users and streams; at most ${MAX_SUBSCRIPTION_PAIRS} subscriptions in one request`)
}

const unknownPrincipal = (principal: number | string) =>
  new ChatError(
    'UNAUTHORIZED_PRINCIPAL',
    `User not authorized to execute queries on behalf of '${principal}'`,
    { principal: String(principal) },
    'forbidden',
  )

/** Returns the accounts that `principals` names by id or email address, or the caller if it names none. */
export async function resolvePrincipals(
  caller: Caller,
  requested: v.InferOutput<typeof principals> | null | undefined,
): Promise<User[]> {
  if (!requested || requested.length === 0) return [caller.user]
  const users: User[] = []
  const turn = pacer(caller)
  const all = [...new Set<number | string>(requested)]
  for (let i = 0; i < all.length; i += PEOPLE_AT_A_TIME) {
    const some = all.slice(i, i + PEOPLE_AT_A_TIME)
    const byId = await findUsers(
      caller,
      some.filter((who) => typeof who === 'number'),
    )
    for (const who of some) {
      const user = typeof who === 'number' ? byId.get(who) : await findUserByAddress(caller, who)
      if (!user?.is_active) throw unknownPrincipal(who)
      users.push(user)
    }
    await turn()
  }
  return [...new Map(users.map((user) => [user.id, user])).values()]
}
