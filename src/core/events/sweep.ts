import { actingAs, type User } from '../caller.ts'
import type { Chat } from '../chat.ts'
import { seconds } from '../clock.ts'
import { SEND_RECEIPT_SECONDS } from '../limits.ts'
import { dropQueues, queuesInUse } from './queues.ts'

const SWEEP_SECONDS = 30
/** Events stay this long after their last reader acknowledged them, for a reader that asks again. */
const KEEP_SECONDS = 300
/** Events removed in one write, so that no other write waits long for it. */
const PRUNE_BATCH = 5000

/** Repeats for as long as the chat is open; returns what stops it. */
export function startSweeping(chat: Chat): () => void {
  let cancel = () => {}
  let stopped = false
  const next = () => {
    cancel = chat.clock.after(SWEEP_SECONDS * 1000, () => {
      sweep(chat)
        .catch((error) => !stopped && chat.options.log('sweep failed', { error: String(error) }))
        .finally(() => !stopped && next())
    })
  }
  next()
  return () => {
    stopped = true
    cancel()
  }
}

/** Saves where queues stand, ends idle ones, drops what no queue can ask for any more. */
export async function sweep(chat: Chat): Promise<void> {
  const now = seconds(chat.clock)
  const caller = actingAs(chat, undefined as unknown as User)
  await caller.write(async (tx) => {
    const inUse = queuesInUse(chat)
    for (const queue of inUse.values()) {
      if (queue.poll) queue.lastUsed = now
      if (queue.saved && !queue.poll) continue
      queue.saved = true
      await tx.db
        .updateTable('queue')
        .set({ acked_event_id: queue.acked, last_used_at: queue.lastUsed })
        .where('id', '=', queue.id)
        .execute()
    }
    const rows = await tx.db.selectFrom('queue').select(['id', 'last_used_at', 'lifespan_seconds']).execute()
    const idle = rows.filter((row) => now - Math.max(row.last_used_at, chat.openedAt) > row.lifespan_seconds)
    await dropQueues(tx, idle.map((row) => row.id))
    const slowest = await tx.db
      .selectFrom('queue')
      .select((eb) => eb.fn.min('acked_event_id').as('position'))
      .executeTakeFirst()
    const needed = Math.min(slowest?.position ?? chat.hub.head(), chat.hub.head())
    await tx.db
      .deleteFrom('event')
      .where('id', 'in', (eb) =>
        eb
          .selectFrom('event')
          .select('id')
          // The newest stays: it holds the log's position over a restart.
          .where('id', '<', needed)
          .where('created_at', '<', now - KEEP_SECONDS)
          .orderBy('id')
          .limit(PRUNE_BATCH),
      )
      .execute()
    await tx.db.deleteFrom('send_receipt').where('created_at', '<', now - SEND_RECEIPT_SECONDS).execute()
  })
}
