import { seconds } from '../kernel/base/clock.ts'
import { chunked } from '../kernel/base/lists.ts'
import type { Chat } from '../kernel/chat.ts'
import { type Caller, contextOf, type SystemTx } from '../kernel/context.ts'
import { defineService } from '../kernel/service.ts'
import { dialectOf } from '../kernel/store.ts'
import type { PresenceTimes } from './presence-view.ts'

/** Reports are written at most this often, in milliseconds. */
const WRITE_EVERY_MS = 1000

/** Collects presence reports of a large organization in memory, and writes them once a second. */
export interface PresenceReports {
  note(user_id: number, status: 'active' | 'idle'): void
  /** Drops a user's reports that aren't written yet. */
  drop(user_id: number): void
  /** Writes the gathered reports. */
  flush(): Promise<void>
  stop(): void
}

export const presenceReportsOf = defineService<PresenceReports>('presence reports')

export function gatherPresence(chat: Chat): PresenceReports {
  let reports = new Map<number, PresenceTimes>()
  let cancel: (() => void) | undefined

  async function flush(): Promise<void> {
    cancel?.()
    cancel = undefined
    for (const user_ids of chunked([...reports.keys()])) {
      await contextOf(chat).write(
        async (tx) => {
          const batch = new Map(user_ids.flatMap((id) => (reports.has(id) ? [[id, reports.get(id)!] as const] : [])))
          // Not earlier: the write may run again.
          tx.afterCommit(() => {
            for (const [id, times] of batch) if (reports.get(id) === times) reports.delete(id)
          })
          await putPresences(tx, batch)
        },
        { relaxed: true },
      )
    }
  }

  function report(error: unknown): void {
    chat.options.logger.error({ err: error }, 'presence could not be written')
  }

  return {
    note(user_id, status) {
      const now = seconds(chat.clock)
      const active_at = status === 'active' ? now : (reports.get(user_id)?.active_at ?? null)
      reports.set(user_id, { active_at, idle_at: now })
      cancel ??= chat.clock.after(WRITE_EVERY_MS, () => void flush().catch(report))
    },
    drop: (user_id) => void reports.delete(user_id),
    flush,
    stop() {
      cancel?.()
      reports = new Map()
    },
  }
}

/** Writes the reports of several users in one statement, without users who have turned off presence since. */
async function putPresences(tx: SystemTx, times: ReadonlyMap<number, PresenceTimes>): Promise<void> {
  const { db, chat } = tx
  const hidden = await db
    .selectFrom('user_setting')
    .select('user_id')
    .where('name', '=', 'presence_enabled')
    .where('value', '=', 'false')
    .where('user_id', 'in', dialectOf(chat).idsIn([...times.keys()]))
    .execute()
  const left = new Map(times)
  for (const { user_id } of hidden) left.delete(user_id)
  if (left.size === 0) return
  const first = (await lastUpdate(tx)) + 1
  await db
    .insertInto('presence')
    .values([...left].map(([user_id, own], i) => ({ user_id, ...own, client: 'website', update_id: first + i })))
    .onConflict((oc) =>
      oc.column('user_id').doUpdateSet((eb) => ({
        active_at: eb.fn.coalesce('excluded.active_at', 'presence.active_at'),
        idle_at: eb.ref('excluded.idle_at'),
        update_id: eb.ref('excluded.update_id'),
      })),
    )
    .execute()
}

/** The ID of the newest presence change of any user. */
export async function lastUpdate({ db }: Pick<Caller, 'db'>): Promise<number> {
  const row = await db
    .selectFrom('presence')
    .select('update_id')
    .orderBy('update_id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.update_id ?? -1
}
