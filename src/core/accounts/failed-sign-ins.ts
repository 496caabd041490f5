import { seconds } from '../kernel/base/clock.ts'
import type { Chat } from '../kernel/chat.ts'
import { type Context, contextOf } from '../kernel/context.ts'
import { defineService } from '../kernel/service.ts'
import { warnOfGuessing } from './guessing.ts'

/** Failures are written this long after the first, in milliseconds, with their number. An attack is a few rows. */
const WRITE_AFTER_MS = 60_000
/** More pairs of accounts and addresses than this within a minute are counted together. */
const MAX_PAIRS = 500

/** `denied` if the credentials were right, but may not be used. */
type Outcome = 'failed' | 'denied'

interface Failures {
  user_id: number | null
  address: string | null
  client: string
  outcome: Outcome
  at: number
  count: number
}

/** Counts failed sign-ins in memory, and writes them to the audit log in the background. */
export interface FailedSignIns {
  /** @param user_id - the account; undefined if the name belongs to none, which is not stored: it may be a password */
  note(context: Pick<Context, 'address' | 'client'>, user_id: number | undefined, outcome?: Outcome): void
  flush(): Promise<void>
  stop(): void
}

export const failedSignInsOf = defineService<FailedSignIns>('failed sign-ins')

export function countFailedSignIns(chat: Chat): FailedSignIns {
  let failures = new Map<string, Failures>()
  let cancel: (() => void) | undefined

  async function flush(): Promise<void> {
    cancel?.()
    cancel = undefined
    if (failures.size === 0) return
    const due = [...failures.values()]
    failures = new Map()
    await contextOf(chat).write(
      async (tx) => {
        const { db } = tx
        for (const { user_id, ...failure } of due) {
          await db
            .insertInto('audit')
            .values({
              ...failure,
              actor_id: null,
              on_behalf_of: null,
              key_id: null,
              action: 'signIn',
              subject_kind: 'user',
              subject_id: user_id,
              before: null,
              after: null,
            })
            .execute()
        }
        for (const user_id of new Set(due.map(({ user_id }) => user_id))) await warnOfGuessing(tx, user_id)
      },
      { relaxed: true },
    )
  }

  return {
    note({ address = null, client }, user_id, outcome = 'failed') {
      const pair = `${outcome} ${user_id ?? ''} ${address}`
      const isKnown = failures.has(pair) || failures.size < MAX_PAIRS
      const entry: Failures = isKnown
        ? { user_id: user_id ?? null, address, client, outcome, at: seconds(chat.clock), count: 0 }
        : { user_id: null, address: null, client: '', outcome, at: seconds(chat.clock), count: 0 }
      const key = isKnown ? pair : `${outcome} others`
      const { count } = failures.get(key) ?? entry
      failures.set(key, { ...entry, count: count + 1 })
      cancel ??= chat.clock.after(WRITE_AFTER_MS, () => {
        flush().catch((error) => chat.options.logger.error({ err: error }, 'recording failed sign-ins failed'))
      })
    },
    flush,
    stop: () => cancel?.(),
  }
}
