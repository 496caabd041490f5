import { statement } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Tx } from '../../kernel/context.ts'
import type { PostOptions } from './post-message.ts'

/** Distinguishes a repeated send from a different message with the same local id. */
type Receipt = NonNullable<PostOptions['echo']> & { digest: string }

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

/**
 * Sends a message once. If the client repeats a send because it lost the response, the result is the first message's
 * id.
 */
export async function sendOnce(tx: Tx, receipt: Receipt | undefined, send: () => Promise<number>): Promise<number> {
  if (!receipt) return send()
  const sender_id = tx.user.id
  const [sent] = await receiptOf(tx.db, { ...receipt, sender_id })
  if (sent) return sent.message_id
  const message_id = await send()
  const created_at = seconds(tx.chat.clock)
  await addReceipt(tx.db, { ...receipt, sender_id, message_id, created_at })
  return message_id
}
