import { isSet, isUnset } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf, type SystemTx } from '../../kernel/context.ts'
import { settingsOf } from '../../settings/organization.ts'
import { settingsOfUser } from '../../settings/user.ts'
import { enqueueMail } from '../outbox.ts'
import { AWAY_SECONDS } from './away.ts'

const HOUR = 3600
const DAY = 86_400
/** Digests are sent from this hour of UTC on. */
const HOUR_OF_DAY = 9
/** Accounts in one write. */
const SLICE = 200

/** The day of the outbox that a time belongs to, as days since 1970. It begins at nine o'clock. */
const dayOf = (now: number): number => Math.floor((now - HOUR_OF_DAY * HOUR) / DAY)

/** The first of January 1970 was a Thursday. Weeks begin on Monday, which is 0 in `digest_weekday`. */
const weekdayOf = (day: number): number => (day + 3) % 7
const weekOfDay = (day: number): number => Math.floor((day + 3) / 7)

/**
 * Stores the digests of the week, if today is their day: one for each person in a week, whatever process stores them. Returns when
 * the next day begins, in seconds since 1970.
 */
export async function enqueueDigests(chat: Chat): Promise<number> {
  const context = contextOf(chat)
  const day = dayOf(seconds(chat.clock))
  const { digest_emails_enabled, digest_weekday } = await settingsOf(context)
  if (digest_emails_enabled && digest_weekday === weekdayOf(day)) {
    let after: number | undefined = 0
    while (after !== undefined) {
      const from: number = after
      after = await context.write((tx) => enqueueSlice(tx, weekOfDay(day), from))
    }
  }
  return (day + 1) * DAY + HOUR_OF_DAY * HOUR
}

/** Stores the digests of the next accounts. Returns the last of them, if there are more. */
async function enqueueSlice(tx: SystemTx, week: number, after: number): Promise<number | undefined> {
  const { db, chat } = tx
  const since = seconds(chat.clock) - AWAY_SECONDS
  const users = await db
    .selectFrom('user')
    .leftJoin('presence', 'presence.user_id', 'user.id')
    .select('user.id')
    .where('user.id', '>', after)
    .where('user.is_active', '=', isSet)
    .where('user.bot_type', 'is', null)
    .where('user.is_system_bot', '=', isUnset)
    // Nobody has signed in to it, so nobody expects email.
    .where('user.awaits_sign_in', '=', isUnset)
    .where('user.date_joined', '<', since)
    .where((eb) => eb.or([eb('presence.active_at', 'is', null), eb('presence.active_at', '<=', since)]))
    .orderBy('user.id')
    .limit(SLICE)
    .execute()
  for (const { id } of users) {
    const { enable_digest_emails } = await settingsOfUser(tx, id)
    if (enable_digest_emails)
      await enqueueMail(tx, { kind: 'digest', once: `digest ${id} ${week}`, user_id: id, lasts: DAY })
  }
  return users.length === SLICE ? users.at(-1)!.id : undefined
}
