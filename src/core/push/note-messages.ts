import { seconds } from '../kernel/base/clock.ts'
import { PRESENCE_OFFLINE_SECONDS } from '../kernel/base/limits.ts'
import type { Context, SystemTx } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import { settingsOfUser } from '../settings/user.ts'
import { candidates } from './candidates.ts'
import { notifiedFrom } from './subscriptions.ts'

/** Messages checked in one write. */
const SLICE = 200

/**
 * Checks the next messages, and stores which browsers to notify of them. Returns whether more are left. Progress is
 * stored with them, so none is missed or doubled.
 */
export async function noteMessages(tx: SystemTx): Promise<boolean> {
  const first = await notifiedFrom.get(tx)
  if (first === null) return false
  const { db, chat } = tx
  const progress = await db.selectFrom('web_push_progress').select('message_id').executeTakeFirst()
  const messages = await db
    .selectFrom('message')
    .select(['id', 'sender_id', 'conversation_id', 'topic_id'])
    .where('id', '>', Math.max(first, progress?.message_id ?? 0))
    .orderBy('id')
    .limit(SLICE)
    .execute()
  const last = messages.at(-1)
  if (!last) return false
  const found = await candidates(tx, messages)
  const present = await presentUntil(
    tx,
    found.map(({ user_id }) => user_id),
  )
  const now = seconds(chat.clock)
  for (const { subscription_id, user_id, message_id, setting } of found) {
    if (setting && !(await settingsOfUser(tx, user_id))[setting]) continue
    await db
      .insertInto('web_push_delivery')
      .values({ subscription_id, message_id, attempts: 0, next_at: Math.max(now, present.get(user_id) ?? 0) })
      .onConflict((oc) => oc.columns(['subscription_id', 'message_id']).doNothing())
      .execute()
  }
  await db.deleteFrom('web_push_progress').execute()
  await db.insertInto('web_push_progress').values({ message_id: last.id }).execute()
  return messages.length === SLICE
}

/**
 * Returns until when each user counts as present. An open page shows messages until then. If no page is open
 * afterwards, they are sent.
 */
export async function presentUntil(
  { db, chat }: Pick<Context, 'db' | 'chat'>,
  user_ids: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  if (user_ids.length === 0) return new Map()
  const rows = await db
    .selectFrom('presence')
    .select(['user_id', 'active_at'])
    .where('user_id', 'in', dialectOf(chat).idsIn(user_ids))
    .execute()
  return new Map(rows.map(({ user_id, active_at }) => [user_id, (active_at ?? 0) + PRESENCE_OFFLINE_SECONDS + 1]))
}
