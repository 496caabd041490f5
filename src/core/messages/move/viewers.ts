import { readersOfAll, withUser } from '../../access/messages.ts'
import { visibleMessagesOf } from '../../access/visible-messages.ts'
import type { Audience, Subscribed } from '../../events/log/audience.ts'
import { indexFrom } from '../../kernel/base/lists.ts'
import type { Tx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import type { Stream } from '../../streams/access.ts'
import { guests } from '../../users/people.ts'
import type { Move } from './move-details.ts'
import type { MovedMessage } from './selection.ts'

type Messages = readonly MovedMessage[]

const isProtected = (stream: Stream): boolean => stream.invite_only === 1 && stream.history_public_to_subscribers === 0

/** Divides the messages so that each part has the same readers: at the limits of subscriptions to protected history. */
export async function withEqualReaders(tx: Tx, { from, to, moved }: Move): Promise<Messages[]> {
  const streams = [from.stream, to.stream].filter(isProtected).map((stream) => stream.id)
  if (streams.length === 0 || moved.length === 1) return [moved]
  const ids = moved.map((message) => message.id)
  const [first, last] = [ids[0]!, ids.at(-1)!]
  const rows = await tx.db
    .selectFrom('subscription_period')
    .select(['from_message_id', 'to_message_id'])
    .where('stream_id', 'in', dialectOf(tx.chat).idsIn(streams))
    .where((eb) => eb.or([eb.between('from_message_id', first, last), eb.between('to_message_id', first, last)]))
    .execute()
  const limits = rows.flatMap((row) => [row.from_message_id, row.to_message_id ?? last + 1])
  const starts = new Set([0, ...limits.map((limit) => indexFrom(ids, limit)), ids.length])
  return [...starts]
    .sort((a, b) => a - b)
    .map((start, i, cuts) => moved.slice(start, cuts[i + 1]))
    .filter((part) => part.length > 0)
}

/**
 * Returns the audience that sees the messages before and after the move, and the audience that loses them. Where one of
 * the streams is public, neither includes the affected guests.
 *
 * @param part - messages with the same readers
 */
export async function readersOfMove(
  tx: Tx,
  { from, to }: Move,
  part: Messages,
): Promise<{ kept: Audience; lost?: Audience }> {
  const before = subscribersWith(from.stream, part)
  const after = subscribersWith(to.stream, part)
  if (from.stream.invite_only) {
    if (!to.stream.invite_only) return { kept: before }
    return { kept: { ...before, also_in: after }, lost: { ...before, not_in: after } }
  }
  // Authors and users with flags have the messages of a public stream without a subscription.
  // So does the person who moves them.
  const { users = [] } = withUser(await readersOfAll(tx, part), tx.user.id)
  if (!to.stream.invite_only) return { kept: { stream: [from.stream.id, to.stream.id], users } }
  const ids = part.map((message) => message.id)
  const still = await visibleMessagesOf(tx, to.stream, users, ids)
  const lost = users.filter((id) => !still.has(id))
  return { kept: after, lost: { stream: from.stream.id, not_in: after, users: lost } }
}

const subscribersWith = (stream: Stream, [first]: Messages): Subscribed => ({
  stream: stream.id,
  ...(isProtected(stream) && { since_message: first!.id }),
})

/**
 * Returns the guests whom a move from or to a public stream concerns: subscribers of both streams, users with flags, and
 * the senders. What they see depends on more than for others.
 */
export async function affectedGuests(tx: Tx, { from, to, moved }: Move): Promise<number[]> {
  if (from.stream.invite_only && to.stream.invite_only) return []
  const everyGuest = await guests.get(tx)
  if (everyGuest.length === 0) return []
  const { idsIn } = dialectOf(tx.chat)
  const ids = idsIn(moved.map((message) => message.id))
  const rows = await tx.db
    .selectFrom('user')
    .select('id')
    .where('id', 'in', idsIn(everyGuest))
    .where(({ eb, exists, or, selectFrom }) =>
      or([
        exists(
          selectFrom('subscription')
            .select('user_id')
            .whereRef('user_id', '=', 'user.id')
            .where('stream_id', 'in', idsIn([from.stream.id, to.stream.id]))
            .where('subscription.is_active', '=', 1),
        ),
        eb('id', 'in', selectFrom('message_flag').select('user_id').where('message_id', 'in', ids)),
        eb('id', 'in', idsIn([...new Set(moved.map((message) => message.sender_id))])),
      ]),
    )
    .execute()
  return rows.map((row) => row.id)
}

interface Readers {
  users: number[]
  kept: readonly number[]
  lost: readonly number[]
}

/** Groups these users by which of the messages they see before and after the move: only a few groups. */
export async function readersOneByOne(
  tx: Tx,
  { from, to, moved }: Move,
  user_ids: readonly number[],
): Promise<Readers[]> {
  if (user_ids.length === 0) return []
  const ids = moved.map((message) => message.id)
  const before = await visibleMessagesOf(tx, from.stream, user_ids, ids)
  const after = await visibleMessagesOf(tx, to.stream, user_ids, ids)
  const groups = new Map<readonly number[], Map<readonly number[] | undefined, Readers>>()
  for (const [user_id, had] of before) {
    const has = after.get(user_id)
    const kind = groups.get(had) ?? new Map<readonly number[] | undefined, Readers>()
    groups.set(had, kind)
    const group = kind.get(has) ?? groupOf(had, new Set(has))
    kind.set(has, group)
    group.users.push(user_id)
  }
  return [...groups.values()].flatMap((kind) => [...kind.values()])
}

const groupOf = (had: readonly number[], has: ReadonlySet<number>): Readers => ({
  users: [],
  kept: had.filter((id) => has.has(id)),
  lost: had.filter((id) => !has.has(id)),
})
