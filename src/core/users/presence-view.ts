import type { Selectable } from 'kysely'
import type { PresenceTable } from '../../storage/index.ts'
import { PRESENCE_OFFLINE_SECONDS } from '../kernel/base/limits.ts'
import type { LegacyPresence, SlimPresence } from '../shapes/presence.ts'

export type Presence = Selectable<PresenceTable>
/** When a user was last online, and last active. */
export type PresenceTimes = Pick<Presence, 'active_at' | 'idle_at'>

/** Returns the single status for older clients, which don't know the two times. */
export function statusOf({ active_at, idle_at }: Pick<Presence, 'active_at' | 'idle_at'>, now: number) {
  if (active_at !== null && now - active_at <= PRESENCE_OFFLINE_SECONDS) {
    return { status: 'active', timestamp: active_at } as const
  }
  return { status: 'idle', timestamp: idle_at ?? active_at ?? 0 } as const
}

type Rows = readonly (Presence & { email: string })[]

/** By user id, the form for `slim_presence`. */
export const slimPresences = (rows: Rows): Record<string, SlimPresence> =>
  Object.fromEntries(rows.map((row) => [row.user_id, slimPresence(row)]))

export const slimPresence = ({ active_at, idle_at }: Pick<Presence, 'active_at' | 'idle_at'>): SlimPresence => ({
  active_timestamp: active_at ?? 0,
  idle_timestamp: idle_at ?? active_at ?? 0,
})

/** By email address and client name. Only one client name is left. */
export const legacyPresences = (rows: Rows, now: number): Record<string, LegacyPresence> =>
  Object.fromEntries(
    rows.map((row) => {
      const { client } = row
      const status = statusOf(row, now)
      return [row.email, { aggregated: { client, ...status }, website: { client, ...status, pushable: false } }]
    }),
  )
