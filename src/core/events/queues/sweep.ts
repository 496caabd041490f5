import { statement } from '../../../storage/index.ts'
import { sweepFiles } from '../../files/sweep.ts'
import { seconds } from '../../kernel/base/clock.ts'
import {
  CLOSED_REPORT_SECONDS,
  IDEMPOTENCY_KEY_SECONDS,
  SEND_RECEIPT_SECONDS,
  SWEEP_SECONDS,
} from '../../kernel/base/limits.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Context, contextOf, type SystemTx } from '../../kernel/context.ts'
import { busOf } from '../log/bus.ts'
import { dropQueues } from '../log/end-queues.ts'
import { recordPruned } from '../log/event-ids.ts'
import { leads } from '../log/follow-peers.ts'
import { headOfLog } from '../log/log.ts'
import { prunePeerChanges } from '../log/peer-changes.ts'
import { lastUsedOf } from '../log/queue-rows.ts'
import { isIdle, type Queue, queuesInUse } from '../log/queues.ts'
import { pruneRoleChanges } from '../log/role-changes.ts'

/** Seconds that events stay after their last reader acknowledged them, for a reader that repeats a request. */
const KEEP_SECONDS = 300
/** Events removed, or queues saved, in one write, which keeps it short. */
const PRUNE_BATCH = 2000
const SAVE_BATCH = 200
/** A queue that isn't read and falls this far behind is deleted, so that the log doesn't grow without limit. */
const MAX_BEHIND = 10_000
/** Longer than the time between two polls of a working client. */
const RECENTLY_READ_SECONDS = 120

/** Starts the sweep, which runs at intervals while the chat is open. Returns a function that stops it. */
export function startSweeping(chat: Chat): () => void {
  let cancel = () => {}
  let stopped = false
  const next = () => {
    cancel = chat.clock.after(SWEEP_SECONDS * 1000, () => {
      sweep(chat)
        .catch((error) => !stopped && chat.options.logger.error({ err: error }, 'removing expired data failed'))
        .finally(() => !stopped && next())
    })
  }
  next()
  return () => {
    stopped = true
    cancel()
  }
}

/** Saves the positions of queues, and removes idle queues, events that no queue needs, and unused files. */
export async function sweep(chat: Chat): Promise<void> {
  const context = contextOf(chat)
  await saveQueues(context)
  const leading = leads(chat)
  if (leading) await context.write(endQueues)
  if (queuesInUse(chat).size === 0) busOf(chat).unwatch()
  if (!leading) return
  while ((await context.write(prune)) === PRUNE_BATCH);
  await context.write(async ({ db }) => {
    const now = seconds(chat.clock)
    const repeated = now - IDEMPOTENCY_KEY_SECONDS
    await db.deleteFrom('idempotency_key').where('created_at', '<=', repeated).execute()
    await db
      .deleteFrom('send_receipt')
      .where('created_at', '<', now - SEND_RECEIPT_SECONDS)
      .execute()
    await db
      .deleteFrom('report')
      .where('state', '=', 'closed')
      .where('closed_at', '<', now - CLOSED_REPORT_SECONDS)
      .execute()
    await db
      .deleteFrom('held_message')
      .where('state', '!=', 'waiting')
      .where('decided_at', '<', now - SEND_RECEIPT_SECONDS)
      .execute()
  })
  await context.write(prunePeerChanges)
  await sweepFiles(context)
}

const saveQueue = statement((db, p: { id: string; acked: number; used: number }) =>
  db.updateTable('queue').set({ acked_event_id: p.acked, last_used_at: p.used }).where('id', '=', p.id),
)

async function saveQueues(context: Context): Promise<void> {
  const changed = [...queuesInUse(context.chat).values()].filter((queue) => !queue.saved)
  for (let i = 0; i < changed.length; i += SAVE_BATCH) {
    await context.write(
      async ({ db }) => {
        for (const queue of changed.slice(i, i + SAVE_BATCH)) {
          queue.saved = true
          await saveQueue(db, { id: queue.id, acked: queue.acked, used: queue.lastUsed })
        }
        // A reader that returns with an older position than this continues from its own.
      },
      { relaxed: true },
    )
  }
}

/** Deletes queues that were idle for too long or are too far behind. */
async function endQueues(tx: SystemTx): Promise<void> {
  const { chat, db } = tx
  const now = seconds(chat.clock)
  const inUse = queuesInUse(chat)
  const rows = await db
    .selectFrom('queue')
    .select(['id', 'acked_event_id', 'last_used_at', 'lifespan_seconds'])
    .execute()
  const over = rows.filter((row) => {
    const here = inUse.get(row.id)
    const queue: Pick<Queue, 'lastUsed' | 'lifespan' | 'acked' | 'poll'> = {
      lastUsed: lastUsedOf(row, chat, here),
      lifespan: row.lifespan_seconds,
      acked: Math.max(row.acked_event_id, here?.acked ?? 0),
      poll: here?.poll,
    }
    if (isIdle(queue, now)) return true
    const unread = !queue.poll && now - queue.lastUsed > RECENTLY_READ_SECONDS
    return unread && busOf(chat).head() - queue.acked > MAX_BEHIND
  })
  await dropQueues(
    tx,
    over.map((row) => row.id),
  )
}

/** Removes the oldest events that no queue needs. Returns how many. */
async function prune(tx: SystemTx): Promise<number> {
  const { chat, db } = tx
  const slowest = await db
    .selectFrom('queue')
    .select((eb) => eb.fn.min('acked_event_id').as('position'))
    .executeTakeFirst()
  // The newest event stays because it keeps the log's position across a restart.
  let needed = Math.min(slowest?.position ?? Number.POSITIVE_INFINITY, await headOfLog(db))
  // Readers inside this process (subscribeToEvents) have no row.
  for (const queue of queuesInUse(chat).values()) needed = Math.min(needed, queue.acked)
  const oldest = await db
    .selectFrom('event')
    .select(['id', 'created_at'])
    .where('id', '<', needed)
    .orderBy('id')
    .limit(PRUNE_BATCH)
    .execute()
  const kept = oldest.findIndex((event) => event.created_at >= seconds(chat.clock) - KEEP_SECONDS)
  const over = kept === -1 ? oldest : oldest.slice(0, kept)
  const last = over.at(-1)
  if (!last) return 0
  await db.deleteFrom('event').where('id', '<=', last.id).execute()
  await pruneRoleChanges(tx, last.id)
  await recordPruned(tx, last.id)
  return over.length
}
