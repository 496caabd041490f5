import type { SystemTx } from '../context.ts'
import { dialectOf } from '../store.ts'
import { queueIdsOf, queuesInUse } from './queues.ts'

/** Ends queues at once, and the polls that wait on them. */
export async function dropQueues(tx: SystemTx, queue_ids: readonly string[]): Promise<void> {
  if (queue_ids.length === 0) return
  await tx.db.deleteFrom('queue').where('id', 'in', dialectOf(tx.chat).textsIn(queue_ids)).execute()
  tx.afterCommit(() => {
    const queues = queuesInUse(tx.chat)
    for (const id of queue_ids) {
      const queue = queues.get(id)
      queues.delete(id)
      queue?.poll?.end()
    }
  })
}

/** Ends all queues of a user who may no longer read. */
export async function dropQueuesOf(tx: SystemTx, user_id: number): Promise<void> {
  await dropQueues(tx, await queueIdsOf(tx.db, user_id))
  tx.afterCommit(() => {
    // Readers inside this process (subscribeToEvents) have no row.
    for (const [id, queue] of queuesInUse(tx.chat)) {
      if (queue.user_id !== user_id) continue
      queuesInUse(tx.chat).delete(id)
      queue.poll?.end()
    }
  })
}

/** API keys of a user have ended: ends the queues registered with them, and the polls waiting with them. */
export async function endReadersOfKeys(tx: SystemTx, user_id: number, key_ids: readonly number[]): Promise<void> {
  const rows = await tx.db
    .selectFrom('queue')
    .select('id')
    .where('user_id', '=', user_id)
    .where('key_id', 'in', dialectOf(tx.chat).idsIn(key_ids))
    .execute()
  await dropQueues(
    tx,
    rows.map((row) => row.id),
  )
  tx.afterCommit(() => {
    const queues = queuesInUse(tx.chat)
    for (const [id, { key_id, poll }] of queues) {
      const ended = key_id !== null && key_ids.includes(key_id)
      if (ended) queues.delete(id)
      if (ended || (poll?.key_id !== undefined && key_ids.includes(poll.key_id))) poll?.end()
    }
  })
}
