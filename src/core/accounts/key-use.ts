import { sql } from 'kysely'
import { statement } from '../../storage/index.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Chat } from '../kernel/chat.ts'
import { contextOf } from '../kernel/context.ts'
import { defineService } from '../kernel/service.ts'

/** A key's last use is written at most this often, in milliseconds. */
const WRITE_EVERY_MS = 60_000
/** Keys in one write, which keeps it short. */
const BATCH = 200

/** Records in memory when and where keys were last used, and writes it to the database in the background. */
export interface KeyUse {
  note(key_id: number, address: string | undefined): void
  /** Returns when a key was used, in seconds, and where, if that isn't written yet. */
  noted(key_id: number): Use | undefined
  /** Writes the recorded uses. */
  flush(): Promise<void>
  stop(): void
}

interface Use {
  readonly at: number
  readonly address: string | null
}

export const keyUseOf = defineService<KeyUse>('record of key use')

const setLastUse = statement((db, p: { id: number } & Use) =>
  db
    .updateTable('api_key')
    .set({ last_used_at: p.at, last_address: sql<string | null>`coalesce(${p.address}, last_address)` })
    .where('id', '=', p.id),
)

export function recordKeyUse(chat: Chat): KeyUse {
  const uses = new Map<number, Use>()
  let cancel: (() => void) | undefined

  async function flush(): Promise<void> {
    cancel?.()
    cancel = undefined
    const due = [...uses]
    for (let i = 0; i < due.length; i += BATCH) {
      const batch = due.slice(i, i + BATCH)
      await contextOf(chat).write(
        async ({ db }) => {
          for (const [id, use] of batch) await setLastUse(db, { id, ...use })
        },
        { relaxed: true },
      )
      // A key that was used again since then stays recorded.
      for (const [id, use] of batch) if (uses.get(id) === use) uses.delete(id)
    }
    if (uses.size > 0) schedule()
  }

  function schedule(): void {
    cancel ??= chat.clock.after(WRITE_EVERY_MS, () => {
      flush().catch((error) => chat.options.logger.error({ err: error }, 'recording the last use of API keys failed'))
    })
  }

  return {
    note(key_id, address = undefined) {
      const before = uses.get(key_id)
      const at = seconds(chat.clock)
      // Most requests come in the same second from the same place.
      if (before?.at !== at || (address !== undefined && before.address !== address)) {
        uses.set(key_id, { at, address: address ?? before?.address ?? null })
      }
      schedule()
    },
    noted: (key_id) => uses.get(key_id),
    flush,
    stop: () => cancel?.(),
  }
}
