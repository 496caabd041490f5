import { after, type Soon, statement } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Tx } from '../../kernel/context.ts'
import type { PostOptions } from './post-message.ts'

/** Distinguishes a repeated send from a different message with the same local id. */
export type Receipt = NonNullable<PostOptions['echo']> & { digest: string }

const receiptOf = statement((db, p: Receipt & { sender_id: number }) =>
  db
    .selectFrom('send_receipt')
    .select('message_id')
    .where('sender_id', '=', p.sender_id)
    .where('queue_id', '=', p.queue_id)
    .where('local_id', '=', p.local_id)
    .where('digest', '=', p.digest),
)

const addReceipt = statement((db, p: Receipt & { sender_id: number; message_id: number; created_at: number }) =>
  db.insertInto('send_receipt').values({
    sender_id: p.sender_id,
    queue_id: p.queue_id,
    local_id: p.local_id,
    digest: p.digest,
    message_id: p.message_id,
    created_at: p.created_at,
  }),
)

/** What became of a message: it was sent, or a moderator decides. */
export type Sent = { id: number } | { held_message_id: number }

/** Remembers that a client's message was sent. */
export async function noteSent(tx: Tx, receipt: Receipt, message_id: number): Promise<void> {
  await addReceipt(tx.db, { ...receipt, sender_id: tx.user.id, message_id, created_at: seconds(tx.chat.clock) })
}

/**
 * Sends a message once. If the client repeats a send because it lost the response, the result is the first message's
 * id.
 */
export function sendOnce<S extends Sent>(
  tx: Tx,
  receipt: Receipt | undefined,
  send: () => Soon<S>,
): Soon<S | { id: number }> {
  if (!receipt) return send()
  return after(
    receiptOf(tx.db, { ...receipt, sender_id: tx.user.id }),
    ([sent]): Soon<S | { id: number }> => (sent ? { id: sent.message_id } : sendFirst(tx, receipt, send)),
  )
}

async function sendFirst<S extends Sent>(tx: Tx, receipt: Receipt, send: () => Soon<S>): Promise<S> {
  const result = await send()
  if ('id' in result) await noteSent(tx, receipt, result.id)
  return result
}
