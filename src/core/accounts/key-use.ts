import { statement } from '../../storage/index.ts'
import { seconds } from '../kernel/base/clock.ts'
import type { Chat } from '../kernel/chat.ts'
import { contextOf } from '../kernel/context.ts'
import { defineService } from '../kernel/service.ts'

/** A key's last use is written at most this often, in milliseconds. */
const WRITE_EVERY_MS = 60_000
/** Keys in one write, which keeps it short. */
const BATCH = 200

/** Records when keys were last used in memory, and writes it to the database in the background. */
export interface KeyUse {
  note(key_id: number): void
  /** Returns when a key was used, in seconds, if that isn't written yet. */
  noted(key_id: number): number | undefined
  /** Writes the recorded uses. */
  flush(): Promise<void>
  stop(): void
}

export const keyUseOf = defineService<KeyUse>('record of key use')

const setLastUse = statement((db, p: { id: number; at: number }) =>
  db.updateTable('api_key').set({ last_used_at: p.at }).where('id', '=', p.id),
)

export function recordKeyUse(chat: Chat): KeyUse {
  const uses = new Map<number, number>()
  let cancel: (() => void) | undefined

  async function flush(): Promise<void> {
    cancel?.()
    cancel = undefined
    const due = [...uses]
    for (let i = 0; i < due.length; i += BATCH) {
      const batch = due.slice(i, i + BATCH)
      await contextOf(chat).write(
        async ({ db }) => {
          for (const [id, at] of batch) await setLastUse(db, { id, at })
        },
        { relaxed: true },
      )
      // A key that was used again since then stays recorded.
      for (const [id, at] of batch) if (uses.get(id) === at) uses.delete(id)
    }
    if (uses.size > 0) schedule()
  }

  function schedule(): void {
    cancel ??= chat.clock.after(WRITE_EVERY_MS, () => {
      flush().catch((error) => chat.options.logger.error({ err: error }, 'recording the last use of API keys failed'))
    })
  }

  return {
    note(key_id) {
      uses.set(key_id, seconds(chat.clock))
      schedule()
    },
    noted: (key_id) => uses.get(key_id),
    flush,
    stop: () => cancel?.(),
  }
}
