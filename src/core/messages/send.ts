import * as v from 'valibot'
import { flag, fold } from '../../storage/columns.ts'
import { statement } from '../../storage/statement.ts'
import { action } from '../action.ts'
import type { Tx, User } from '../caller.ts'
import { seconds } from '../clock.ts'
import { badRequest, ChatError } from '../errors.ts'
import { emit } from '../events/emit.ts'
import { bool, id, text } from '../fields.ts'
import { recordFirstMessage } from '../streams/first-message.ts'
import { isBot } from '../users/roles.ts'
import { isoTime } from '../users/view.ts'
import {
  type Addressee,
  conversationFor,
  requirePosting,
  resolvePeople,
  resolveStream,
  resolveTopic,
  type To,
  topicFor,
} from './addressee.ts'
import { messageEvent } from './event.ts'
import { recordNotice } from './notice.ts'
import { type Prepared, prepare } from './rendering.ts'
import { deliveryTime, schedule } from './scheduled.ts'
import { insertSubmessage } from './submessages.ts'
import { widgetOf } from './widgets.ts'
import { requireWildcard } from './wildcards.ts'

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
    const wanted = { type: params.type, to: params.to, topic: params.topic ?? params.subject }
    const prepared = await prepare(caller, params.content)
    const echo = queue_id && local_id ? { queue_id, local_id } : undefined
    if (deliver_at !== undefined) {
      // A receipt of its own kind: the id is not a message's. No queue's name has a space.
      const receipt = echo && { ...echo, queue_id: `${echo.queue_id} at ${deliver_at}` }
      const id = await caller.write((tx) =>
        once(tx, receipt, async () => schedule(tx, await resolveAddressee(tx, wanted), prepared, deliver_at)),
      )
      return { id, deliver_at: isoTime(deliver_at) }
    }
    const read_by_sender = params.read_by_sender ?? !isBot(caller.user)
    return caller.write(async (tx) => {
      const id = await once(tx, echo, async () =>
        deliver(tx, await resolveAddressee(tx, wanted), prepared, { read_by_sender, ...(echo && { echo }) }),
      )
      return { id }
    })
  },
)

interface Wanted {
  type: string
  to: To
  topic: string | null | undefined
}

async function resolveAddressee(tx: Tx, { type, to, topic }: Wanted): Promise<Addressee> {
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

interface DeliverOptions {
  read_by_sender: boolean
  echo?: { queue_id: string; local_id: string }
}

interface NewMessage {
  sender_id: number
  conversation_id: number
  topic_id: number | null
  content: string
  rendered_content: string
  sent_at: number
  client: string
  read_by_sender: 0 | 1
  stream_wildcard: 0 | 1
  topic_wildcard: 0 | 1
  has_link: 0 | 1
  has_image: 0 | 1
  has_attachment: 0 | 1
  is_me_message: 0 | 1
}

const insertMessage = statement((db, p: NewMessage) =>
  db
    .insertInto('message')
    .values({
      sender_id: p.sender_id,
      conversation_id: p.conversation_id,
      topic_id: p.topic_id,
      content: p.content,
      rendered_content: p.rendered_content,
      sent_at: p.sent_at,
      client: p.client,
      read_by_sender: p.read_by_sender,
      stream_wildcard: p.stream_wildcard,
      topic_wildcard: p.topic_wildcard,
      has_link: p.has_link,
      has_image: p.has_image,
      has_attachment: p.has_attachment,
      is_me_message: p.is_me_message,
      edited_at: null,
      moved_at: null,
      origin_id: null,
    })
    .returning('id'),
)

/** Stores a message of the writer and tells of it. The one place where messages are made. */
export async function deliver(tx: Tx, wanted: Addressee, prepared: Prepared, options: DeliverOptions): Promise<number> {
  const { content, rendered } = prepared
  const inStream = wanted.kind === 'stream'
  const topic = inStream ? await topicFor(tx, wanted.stream.id, wanted.topic, fold(wanted.topic)) : null
  const topic_id = topic?.id ?? null
  // A topic that is there keeps its spelling.
  const addressee: Addressee = inStream && topic ? { ...wanted, topic: topic.name } : wanted
  if (addressee.kind === 'stream' && (rendered.streamWildcard || rendered.topicWildcard)) {
    await requireWildcard(tx, addressee.stream, topic_id!, rendered)
  }
  const message = {
    sender_id: tx.user.id,
    conversation_id: addressee.conversation_id,
    topic_id,
    content,
    rendered_content: rendered.html,
    sent_at: seconds(tx.chat.clock),
    client: tx.client,
    // Where somebody is not, nothing waits for them, their own words neither.
    read_by_sender: flag(options.read_by_sender || (wanted.kind === 'stream' && !wanted.stream.subscribed)),
    stream_wildcard: flag(inStream && rendered.streamWildcard),
    topic_wildcard: flag(inStream && rendered.topicWildcard),
    has_link: flag(rendered.hasLink),
    has_image: flag(rendered.hasImage),
    has_attachment: flag(rendered.hasAttachment),
    is_me_message: flag(rendered.isMeMessage),
  }
  const [row] = await insertMessage(tx.db, message)
  const sent = { ...message, id: row!.id, edited_at: null, moved_at: null, origin_id: null }
  if (addressee.kind === 'stream' && addressee.stream.first_message_id === null)
    await recordFirstMessage(tx, addressee.stream.id, sent.id)
  tx.afterCommit(() => tx.chat.indexer.wake())
  const noticed = await recordNotice(tx, sent, addressee, rendered)
  const widget = widgetOf(content)
  const submessages = widget === undefined ? [] : [await insertSubmessage(tx, sent.id, 'widget', widget)]
  const { event, audience } = messageEvent(tx, sent, addressee, { noticed, submessages, echo: options.echo })
  await emit(tx, event, audience)
  return sent.id
}

type Echo = NonNullable<DeliverOptions['echo']>

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

/** A direct message of the writer, to people who need no checking. */
export async function sendDirect(tx: Tx, people: readonly User[], content: string): Promise<number> {
  const all = [...new Map([tx.user, ...people].map((user) => [user.id, user])).values()].sort((a, b) => a.id - b.id)
  const conversation_id = await conversationFor(tx, all)
  return deliver(tx, { kind: 'direct', conversation_id, people: all }, await prepare(tx, content), {
    read_by_sender: true,
  })
}

/** A message of the writer in a stream they may write in, such as the server's own notices. */
export async function sendToTopic(tx: Tx, stream_id: number, topic: string, content: string): Promise<number> {
  const stream = await tx.db.selectFrom('stream').selectAll().where('id', '=', stream_id).executeTakeFirstOrThrow()
  const addressee: Addressee = {
    kind: 'stream',
    conversation_id: stream_id,
    stream: { ...stream, subscribed: true },
    topic,
  }
  return deliver(tx, addressee, await prepare(tx, content), { read_by_sender: true })
}
