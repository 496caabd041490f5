import { type Db, flag } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Context, contextOf } from '../../kernel/context.ts'
import { storeOf } from '../../kernel/store.ts'
import { setRecentlyActive } from '../../streams/recently-active.ts'

/** A stream is recently active when it is younger than this, or its newest message is. */
const RECENT_DAYS = 180
const DAY = 86_400
/** Streams looked at in one query. */
const PAGE = 100

/** Updates which streams are recently active, because time passes, and messages are moved, deleted and restored. */
export async function updateRecentActivity(chat: Chat): Promise<void> {
  for (let after = 0; ; ) {
    const page = await activityOf(storeOf(chat).db)
      .where('stream.id', '>', after)
      .orderBy('stream.id')
      .limit(PAGE)
      .execute()
    for (const row of page) if (isOutdated(row, recentSince(chat))) await correct(contextOf(chat), row.id)
    const last = page.at(-1)
    if (!last) return
    after = last.id
    await new Promise(setImmediate)
  }
}

/** Returns streams and when a user last wrote there. The server's notices don't count. */
const activityOf = (db: Db) =>
  db
    .selectFrom('stream')
    .selectAll('stream')
    .select((eb) =>
      eb
        .selectFrom('message')
        .select('message.sent_at')
        .whereRef('message.conversation_id', '=', 'stream.id')
        .where('message.sender_id', 'not in', (bots) =>
          bots.selectFrom('user').select('user.id').where('user.is_system_bot', '=', 1),
        )
        .orderBy('message.id', 'desc')
        .limit(1)
        .as('newest'),
    )

type Activity = Awaited<ReturnType<ReturnType<typeof activityOf>['executeTakeFirstOrThrow']>>

const recentSince = (chat: Chat): number => seconds(chat.clock) - RECENT_DAYS * DAY
const isRecent = ({ date_created, newest }: Activity, since: number): boolean =>
  Math.max(date_created, newest ?? 0) >= since
const isOutdated = (row: Activity, since: number): boolean => row.is_recently_active !== flag(isRecent(row, since))

/**
 * Checked again, because a user may have written there since, and so that a slow round undoes nothing of a later one.
 */
const correct = (context: Context, stream_id: number): Promise<void> =>
  context.write(async (tx) => {
    const since = recentSince(tx.chat)
    const row = await activityOf(tx.db).where('stream.id', '=', stream_id).executeTakeFirst()
    if (row && isOutdated(row, since)) await setRecentlyActive(tx, row, isRecent(row, since))
  })
