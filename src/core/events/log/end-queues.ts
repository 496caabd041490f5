import type { Chat } from '../../kernel/chat.ts'
import type { SystemTx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { type EndedReaders, peerChangesOf } from './peer-changes.ts'
import { queueIdsOf, queuesInUse } from './queues.ts'

/** Ends the polls of these readers, in the memory of this process. */
export function endReaders(chat: Chat, { queue_ids = [], user_id, key_ids = [] }: EndedReaders): void {
  const queues = queuesInUse(chat)
  for (const id of queue_ids) {
    const queue = queues.get(id)
    queues.delete(id)
    queue?.poll?.end()
  }
  if (user_id === undefined && key_ids.length === 0) return
  for (const [id, { user_id: reader, key_id, poll }] of queues) {
    const ended = reader === user_id || (key_id !== null && key_ids.includes(key_id))
    if (ended) queues.delete(id)
    if (ended || (poll?.key_id !== undefined && key_ids.includes(poll.key_id))) poll?.end()
  }
}

/** After the commit, here and in the processes that share the database. */
function endAfterCommit(tx: SystemTx, readers: EndedReaders): void {
  peerChangesOf(tx.chat)?.record(tx.db, { ended: readers })
  tx.afterCommit(() => endReaders(tx.chat, readers))
}

/** Ends queues and the polls that wait on them immediately. */
export async function dropQueues(tx: SystemTx, queue_ids: readonly string[]): Promise<void> {
  if (queue_ids.length === 0) return
  await tx.db.deleteFrom('queue').where('id', 'in', dialectOf(tx.chat).textsIn(queue_ids)).execute()
  endAfterCommit(tx, { queue_ids })
}

/**
 * Ends all queues of a user who may no longer read, including readers inside a process (subscribeToEvents), which have
 * no row.
 */
export async function dropQueuesOf(tx: SystemTx, user_id: number): Promise<void> {
  await dropQueues(tx, await queueIdsOf(tx.db, user_id))
  endAfterCommit(tx, { user_id })
}

/** Ends the queues and polls that were opened with these revoked API keys of a user. */
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
  endAfterCommit(tx, { key_ids })
}
