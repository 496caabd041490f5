import { after, flag, type Soon } from '../../../storage/index.ts'
import { requireVoice } from '../../access/silence.ts'
import { keepForHeld } from '../../files/unsent.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { MAX_MESSAGE_BYTES } from '../../kernel/base/limits.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest, ChatError } from '../../kernel/errors.ts'
import { requireAccepted } from '../../review/filters/require.ts'
import { emitHeld, waitingRows } from '../../review/held-rows.ts'
import { applying, topicMatches } from './content-filters.ts'
import { type PostOptions, postMessage } from './post-message.ts'
import type { Prepared } from './prepare.ts'
import type { Recipient } from './recipient.ts'
import type { Receipt, Sent } from './send-receipts.ts'
import { requirePause } from './slow-mode.ts'
import { type WhyHeld, whyHeld } from './why-held.ts'

/** Messages of one account that may wait. */
const MAX_WAITING = 50

/** Sends a message, or holds it until a moderator decides. */
export const postOrHold = (
  tx: Tx,
  recipient: Recipient,
  prepared: Prepared,
  options: PostOptions,
  receipt?: Receipt,
): Soon<Sent> =>
  after(whyHeld(tx, recipient, prepared), (why): Soon<Sent> => {
    if (why) return hold(tx, recipient, prepared, { why, options, receipt })
    return after(postMessage(tx, recipient, prepared, { ...options, review: 'needless' }), (id) => ({ id }))
  })

async function hold(
  tx: Tx,
  recipient: Recipient,
  { content, widget, matches }: Prepared,
  { why, options, receipt }: { why: WhyHeld; options: PostOptions; receipt: Receipt | undefined },
): Promise<Sent> {
  await requireVoice(tx)
  const topic = recipient.kind === 'stream' ? recipient.topic : null
  requireAccepted(applying(tx, recipient, matches), true)
  if (recipient.kind === 'stream') {
    await topicMatches(tx, recipient.stream.id, recipient.topic)
    if (recipient.stream.slow_mode_seconds > 0) await requirePause(tx, recipient.stream)
  }
  if (widget !== undefined && Buffer.byteLength(widget) > MAX_MESSAGE_BYTES)
    throw badRequest('A moderator must approve this message first, and its widget is too large for that.')
  const known = receipt && (await repeated(tx, receipt))
  if (known) return { held_message_id: known }
  const waiting = await waitingRows(tx.db).where('user_id', '=', tx.user.id).limit(MAX_WAITING).execute()
  // Clients that don't know the error offer to send the message again.
  const same = waiting.find(
    (other) =>
      other.conversation_id === recipient.conversation_id &&
      other.topic === topic &&
      other.content === content &&
      other.widget === (widget ?? null),
  )
  if (same) return { held_message_id: same.id }
  if (waiting.length === MAX_WAITING) throw badRequest('Too many of your messages wait for a moderator.')
  const row = await tx.db
    .insertInto('held_message')
    .values({
      user_id: tx.user.id,
      conversation_id: recipient.conversation_id,
      topic,
      content,
      widget: widget ?? null,
      client: tx.client,
      read_by_sender: flag(options.read_by_sender),
      ...why,
      queue_id: receipt?.queue_id ?? null,
      local_id: receipt?.local_id ?? null,
      digest: receipt?.digest ?? null,
      created_at: seconds(tx.chat.clock),
      state: 'waiting',
      decided_by: null,
      decided_at: null,
      message_id: null,
    })
    .returning(['id', 'user_id'])
    .executeTakeFirstOrThrow()
  await keepForHeld(tx, row.id, content)
  await emitHeld(tx, row, 'waiting')
  return { held_message_id: row.id }
}

/** Returns the ID of the message that this request held before, if its response was lost. */
async function repeated(tx: Tx, { queue_id, local_id, digest }: Receipt): Promise<number | undefined> {
  const row = await tx.db
    .selectFrom('held_message')
    .select('id')
    .where('user_id', '=', tx.user.id)
    .where('queue_id', '=', queue_id)
    .where('local_id', '=', local_id)
    .where('digest', '=', digest)
    .executeTakeFirst()
  return row?.id
}

/** The error that tells a client that its message waits. The text is stored, so it must not be sent again. */
export const heldError = (held_message_id: number): ChatError =>
  new ChatError('MESSAGE_HELD', 'A moderator will review your message.', { held_message_id })
