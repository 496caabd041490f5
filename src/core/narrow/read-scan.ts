import type { Caller } from '../kernel/context.ts'
import { bits } from '../read-state/flag-bits.ts'
import { readRanges } from '../read-state/unread-gaps.ts'
import type { IndexScan } from './scan.ts'

const everywhere = { lo: 0, hi: Number.MAX_SAFE_INTEGER }
const ANY_FLAG = Object.values<number>(bits).reduce((all, bit) => all | bit, 0)

/**
 * Ways to everything the caller has and has read: a range of a conversation each. Where they are no longer, and in what
 * was moved, all counts as read or is asked one by one; so does what they wrote or marked.
 */
export async function readScans(caller: Caller): Promise<IndexScan[]> {
  const { db, user } = caller
  const left = await db
    .selectFrom('subscription_period')
    .select('stream_id')
    .distinct()
    .where('user_id', '=', user.id)
    .where('stream_id', 'not in', (eb) =>
      eb.selectFrom('subscription').select('stream_id').where('user_id', '=', user.id).where('is_active', '=', 1),
    )
    .execute()
  const ranges = await readRanges(caller)
  return [
    ...[...ranges].flatMap(([value, own]) =>
      own.map((range): IndexScan => ({ by: 'conversation_id', value, ...range })),
    ),
    ...left.map(({ stream_id }): IndexScan => ({ by: 'conversation_id', value: stream_id, ...everywhere })),
    ...(await scansElsewhere(caller)),
  ]
}

/** Ways to what the caller has of places that they were never in: what was moved there, what they wrote or marked. */
export async function scansElsewhere({ db, user }: Caller): Promise<IndexScan[]> {
  const moved = await db
    .selectFrom('subscription_period')
    .select('stream_id')
    .distinct()
    .where('user_id', '=', user.id)
    .where((eb) =>
      eb.exists(
        eb
          .selectFrom('message')
          .select('message.id')
          .whereRef('message.origin_id', '=', 'subscription_period.stream_id'),
      ),
    )
    .execute()
  return [
    ...moved.map(({ stream_id }): IndexScan => ({ by: 'origin_id', value: stream_id, ...everywhere })),
    { by: 'sender_id', value: user.id, ...everywhere },
    { by: 'flags', bits: ANY_FLAG, ...everywhere },
  ]
}
