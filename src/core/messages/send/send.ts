import * as v from 'valibot'
import { statement } from '../../../storage/index.ts'
import { action } from '../../action.ts'
import { seconds } from '../../clock.ts'
import type { Tx } from '../../context.ts'
import { badRequest, ChatError } from '../../errors.ts'
import { bool, id, text } from '../../fields.ts'
import { isBot } from '../../roles.ts'
import { isoTime } from '../../users/view.ts'
import { conversationFor } from './conversations.ts'
import { type InsertOptions, insertMessage } from './insert.ts'
import { prepare } from './prepare.ts'
import { type Recipient, requirePosting, resolvePeople, resolveStream, resolveTopic, type To } from './recipient.ts'
import { deliveryTime, schedule } from './schedule.ts'

export const to = v.union([v.array(v.union([id, text])), id, text])

/** Kept for a week with each message, so not for storing things in. */
const shortText = v.pipe(text, v.maxLength(1000, '{name} is too long (limit: 1000 characters)'))

/** POST /messages (specification, Send a message). */
export const sendMessage = action(
  {
    summary: 'Send a message',
    params: v.object({
      type: text,
      to,
      content: text,
      topic: v.nullish(text),
      /** Deprecated alias of topic. */
      subject: v.nullish(text),
      queue_id: v.nullish(shortText),
      local_id: v.nullish(shortText),
      deliver_at: v.nullish(text),
      /** Legacy word for what deliver_at says by itself. */
      delivery_type: v.nullish(text),
      tz_guess: v.nullish(text),
      read_by_sender: v.nullish(bool),
    }),
    errors: ['STREAM_DOES_NOT_EXIST', 'STREAM_WILDCARD_MENTION_NOT_ALLOWED', 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'],
  },
  async (caller, params) => {
    const { queue_id, local_id } = params
    if (queue_id && !local_id) {
      throw new ChatError('REQUEST_VARIABLE_MISSING', "Missing 'local_id' argument", { var_name: 'local_id' })
    }
    if (params.topic != null && params.subject != null && params.topic !== params.subject) {
      throw new ChatError('REQUEST_CONFUSING_VAR', "Can't decide between 'topic' and 'subject' arguments")
    }
    const deliver_at = deliveryTime(caller, params)
    const requested = { type: params.type, to: params.to, topic: params.topic ?? params.subject }
    const prepared = await prepare(caller, params.content)
    const echo = queue_id && local_id ? { queue_id, local_id } : undefined
    if (deliver_at !== undefined) {
      // A receipt of its own kind: the id is not a message's. No queue's name has a space.
      const receipt = echo && { ...echo, queue_id: `${echo.queue_id} at ${deliver_at}` }
      const id = await caller.write((tx) =>
        once(tx, receipt, async () => schedule(tx, await resolveRecipient(tx, requested), prepared, deliver_at)),
      )
      return { id, deliver_at: isoTime(deliver_at) }
    }
    const read_by_sender = params.read_by_sender ?? !isBot(caller.user)
    return caller.write(async (tx) => {
      const id = await once(tx, echo, async () =>
        insertMessage(tx, await resolveRecipient(tx, requested), prepared, { read_by_sender, ...(echo && { echo }) }),
      )
      return { id }
    })
  },
)

interface Requested {
  type: string
  to: To
  topic: string | null | undefined
}

async function resolveRecipient(tx: Tx, { type, to, topic }: Requested): Promise<Recipient> {
  if (type === 'stream' || type === 'channel') {
    const name = await resolveTopic(tx, topic)
    const stream = await resolveStream(tx, to)
    await requirePosting(tx, stream)
    return { kind: 'stream', conversation_id: stream.id, stream, topic: name }
  }
  if (type === 'private' || type === 'direct') {
    const people = await resolvePeople(tx, to)
    return { kind: 'direct', conversation_id: await conversationFor(tx, people), people }
  }
  throw badRequest('Invalid message type')
}

type Echo = NonNullable<InsertOptions['echo']>

const receiptOf = statement((db, p: Echo & { sender_id: number }) =>
  db
    .selectFrom('send_receipt')
    .select('message_id')
    .where('sender_id', '=', p.sender_id)
    .where('queue_id', '=', p.queue_id)
    .where('local_id', '=', p.local_id),
)

/** Sends, unless the client has sent it already and repeats itself after a lost answer: then it is the first one's id. */
async function once(tx: Tx, echo: Echo | undefined, send: () => Promise<number>): Promise<number> {
  if (!echo) return send()
  const sender_id = tx.user.id
  const [sent] = await receiptOf(tx.db, { ...echo, sender_id })
  if (sent) return sent.message_id
  const message_id = await send()
  const created_at = seconds(tx.chat.clock)
  await tx.db
    .insertInto('send_receipt')
    .values({ sender_id, ...echo, message_id, created_at })
    .execute()
  return message_id
}
