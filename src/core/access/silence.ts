import { after, type Db, type Soon } from '../../storage/index.ts'
import { seconds } from '../kernel/base/clock.ts'
import { defineCacheById } from '../kernel/cache.ts'
import type { Caller } from '../kernel/context.ts'
import { ChatError } from '../kernel/errors.ts'

export interface Silence {
  /** Unix time in seconds. */
  until: number
  reason: string
}

/** An account's last silence, which may be over. Cached, because every message reads it and almost nobody has one. */
export const silences = defineCacheById(
  'silence',
  async (db: Db, user_id): Promise<Silence | null> =>
    (await db
      .selectFrom('restriction')
      .select(['until', 'reason'])
      .where('user_id', '=', user_id)
      .executeTakeFirst()) ?? null,
)

/** Returns the silence of an account, or of a bot's owner; null if there is none at this moment. */
export function silenceOf(
  caller: Pick<Caller, 'cache' | 'chat'>,
  { id, bot_owner_id }: { id: number; bot_owner_id: number | null },
): Soon<Silence | null> {
  const now = seconds(caller.chat.clock)
  const current = (silence: Silence | null) => (silence && silence.until > now ? silence : null)
  return after(silences.get(caller, id), (own) => {
    if (current(own) || bot_owner_id === null) return current(own)
    return after(silences.get(caller, bot_owner_id), current)
  })
}

/** Throws SILENCED if a moderator has silenced the caller, or the owner of the bot that calls. */
export const requireVoice = (caller: Caller): Soon<void> => after(silenceOf(caller, caller.user), requireNone)

function requireNone(silence: Silence | null): void {
  if (!silence) return
  const { until, reason } = silence
  throw new ChatError(
    'SILENCED',
    `A moderator has silenced you until ${timeIn(until)}. Until then you can read, but not write, react or upload. Reason: ${reason}`,
    { until },
  )
}

/** Like "November 27, 2026 at 14:05 UTC". */
function timeIn(at: number): string {
  const time = new Date(at * 1000)
  const day = time.toLocaleDateString('en-US', { timeZone: 'UTC', dateStyle: 'long' })
  return `${day} at ${time.toISOString().slice(11, 16)} UTC`
}
