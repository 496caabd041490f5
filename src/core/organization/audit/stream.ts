import { leads } from '../../events/log/follow-peers.ts'
import { onRecorded } from '../../kernel/audit.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf } from '../../kernel/context.ts'
import { type AuditEntry, auditEntries } from './rows.ts'

const BATCH = 500
/** How often entries of other processes are looked for, and a failed sink is tried again, in milliseconds. */
const LOOK_EVERY_MS = 10_000

/** Passes entries on. They may come again after a crash, with the same ids. */
export type AuditSink = (entries: readonly AuditEntry[]) => Promise<void>

export interface AuditStream {
  /** Resolves when everything that is committed was passed on, or the sink has failed. */
  settled(): Promise<void>
  stop(): Promise<void>
}

/** Passes every entry of the audit log to a sink after its commit, in order. The position is in the database. */
export function streamAudit(chat: Chat, sink: AuditSink): AuditStream {
  const context = contextOf(chat)
  let running: Promise<void> = Promise.resolve()
  let isWaiting = false
  let stopped = false
  let hasFailed = false
  let cancel = () => {}

  async function passOn(): Promise<void> {
    isWaiting = false
    while (!stopped && leads(chat)) {
      const progress = await context.db.selectFrom('audit_progress').select('audit_id').executeTakeFirst()
      const entries = await auditEntries(context.db, {}, { after: progress?.audit_id ?? 0, count: BATCH })
      const last = entries.at(-1)?.id
      if (last === undefined) return
      await sink(entries)
      await context.write(
        async ({ db }) => {
          if (progress) await db.updateTable('audit_progress').set({ audit_id: last }).execute()
          else await db.insertInto('audit_progress').values({ audit_id: last }).execute()
        },
        { relaxed: true },
      )
      hasFailed = false
    }
  }

  function wake(): void {
    if (isWaiting || stopped) return
    isWaiting = true
    running = running.then(passOn).catch((error) => {
      if (stopped || hasFailed) return
      hasFailed = true
      chat.options.logger.error(
        { err: error },
        'the audit log could not be passed on; it is tried again every 10 seconds',
      )
    })
  }

  function look(): void {
    wake()
    cancel = chat.clock.after(LOOK_EVERY_MS, look)
  }

  onRecorded(chat, (tx) => tx.afterCommit(wake))
  look()
  return {
    async settled() {
      do await running
      while (isWaiting)
    },
    async stop() {
      stopped = true
      cancel()
      await running
    },
  }
}
