import type { Soon } from '../../storage/index.ts'
import { notifiedFrom } from '../accounts/notified-from.ts'
import { seconds } from '../kernel/base/clock.ts'
import { PRESENCE_OFFLINE_SECONDS } from '../kernel/base/limits.ts'
import type { Context, SystemTx } from '../kernel/context.ts'
import { dialectOf } from '../kernel/store.ts'
import { settingsOfUser, type UserSettings } from '../settings/user.ts'
import { type Candidate, candidates, type Receivers, type Sent } from './candidates.ts'
import { devicesToServe } from './devices-to-serve.ts'

/** Messages checked in one write. */
const SLICE = 200

/** Receivers of notifications, and where their deliveries and the progress are stored. */
export interface Following extends Receivers {
  /** The first message after which there is one; null without any. */
  from(context: Context): Soon<number | null>
  progress: 'web_push_progress' | 'push_progress' | 'mail_progress'
  store(
    tx: SystemTx,
    receiver_id: number,
    delivery: { message_id: number; attempts: number; next_at: number },
    about: { message: Sent; setting: Candidate['setting'] },
  ): Promise<unknown>
  /** Whether a user gets them also while they are present. */
  isNeverPresent?(settings: UserSettings): boolean
}

/** The same messages that an open page would notify of. */
export const ofBrowsers: Following = {
  table: 'web_push_subscription',
  direct: 'enable_desktop_notifications',
  followed: 'enable_followed_topic_desktop_notifications',
  stream: 'enable_stream_desktop_notifications',
  chosen: 'desktop_notifications',
  from: (context) => notifiedFrom.get(context),
  progress: 'web_push_progress',
  store: ({ db }, subscription_id, delivery) =>
    db
      .insertInto('web_push_delivery')
      .values({ subscription_id, ...delivery })
      .onConflict((oc) => oc.columns(['subscription_id', 'message_id']).doNothing())
      .execute(),
}

export const ofDevices: Following = {
  table: 'device',
  direct: 'enable_offline_push_notifications',
  followed: 'enable_followed_topic_push_notifications',
  stream: 'enable_stream_push_notifications',
  chosen: 'push_notifications',
  from: async (context) => (await devicesToServe.get(context)).first,
  progress: 'push_progress',
  store: ({ db }, device_id, delivery) =>
    db
      .insertInto('push_delivery')
      .values({ device_id, ...delivery })
      .onConflict((oc) => oc.columns(['device_id', 'message_id']).doNothing())
      .execute(),
  isNeverPresent: (settings) => settings.enable_online_push_notifications,
}

/**
 * Checks the next messages, and stores which clients to notify of them. Returns whether more are left. Progress is
 * stored with them, so none is missed or doubled.
 */
export async function noteMessages(tx: SystemTx, following: Following): Promise<boolean> {
  const first = await following.from(tx)
  if (first === null) return false
  const { db, chat } = tx
  const progress = await db.selectFrom(following.progress).select('message_id').executeTakeFirst()
  const messages = await db
    .selectFrom('message')
    .select(['id', 'sender_id', 'conversation_id', 'topic_id', 'sent_at'])
    .where('id', '>', Math.max(first, progress?.message_id ?? 0))
    .orderBy('id')
    .limit(SLICE)
    .execute()
  const last = messages.at(-1)
  if (!last) return false
  const found = await candidates(tx, messages, following)
  const present = await presentUntil(
    tx,
    found.map(({ user_id }) => user_id),
  )
  const now = seconds(chat.clock)
  const byId = new Map(messages.map((message) => [message.id, message]))
  for (const { receiver_id, user_id, message_id, setting } of found) {
    const settings = await settingsOfUser(tx, user_id)
    if (setting && !settings[setting]) continue
    const until = following.isNeverPresent?.(settings) ? 0 : (present.get(user_id) ?? 0)
    const delivery = { message_id, attempts: 0, next_at: Math.max(now, until) }
    await following.store(tx, receiver_id, delivery, { message: byId.get(message_id)!, setting })
  }
  await db.deleteFrom(following.progress).execute()
  await db.insertInto(following.progress).values({ message_id: last.id }).execute()
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
