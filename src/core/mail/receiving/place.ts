import type { Context, Tx } from '../../kernel/context.ts'
import { badRequest, isChatError } from '../../kernel/errors.ts'
import { type Recipient, resolveRecipient } from '../../messages/send/recipient.ts'
import type { ReplyAddress } from '../reply-address.ts'
import type { ChannelAddress } from './channel-address.ts'
import { topicOf } from './message-text.ts'
import type { ParsedMail } from './parse-protocol.ts'
import { receivedKey } from './received.ts'

/** The topic of email without a subject, in channels that don't have general chat. */
const NO_SUBJECT = 'no subject'

/** Returns where an answer goes: to where its message is now. Throws unless its writer may post there. */
export async function placeOfReply(tx: Tx, reply: ReplyAddress): Promise<Recipient> {
  const { db } = tx
  const message = await db
    .selectFrom('message')
    .select(['conversation_id', 'topic_id'])
    .where('id', '=', reply.message_id)
    .executeTakeFirst()
  const { conversation_id, topic_id } = message ?? reply
  if (topic_id === null) {
    const people = await db
      .selectFrom('direct_participant')
      .select('user_id')
      .where('conversation_id', '=', conversation_id)
      .execute()
    // Only its own participants may write to a conversation, whatever has happened to the message.
    if (!people.some(({ user_id }) => user_id === tx.user.id)) throw badRequest('The conversation no longer exists.')
    const others = people.map(({ user_id }) => user_id).filter((id) => id !== tx.user.id)
    return resolveRecipient(tx, { type: 'direct', to: others.length > 0 ? others : [tx.user.id], topic: null })
  }
  const topic = await db.selectFrom('topic').select(['name', 'stream_id']).where('id', '=', topic_id).executeTakeFirst()
  if (!topic) throw badRequest('The topic no longer exists.')
  return resolveRecipient(tx, { type: 'stream', to: topic.stream_id, topic: topic.name })
}

/** Returns where an email to a channel goes: to the topic of the email that it answers, or of its subject. */
export async function placeInChannel(
  tx: Tx,
  { stream_id }: Pick<ChannelAddress, 'stream_id'>,
  mail: Pick<ParsedMail, 'subject' | 'answers'>,
  key: string,
): Promise<Recipient> {
  const inTopic = (topic: string) => resolveRecipient(tx, { type: 'stream', to: stream_id, topic })
  const answered = await answeredTopic(tx, stream_id, mail.answers, key)
  const topic = answered ?? topicOf(mail.subject)
  try {
    return await inTopic(topic ?? '')
  } catch (error) {
    // The channel has only general chat, or has none.
    if (!isChatError(error) || !('empty_topic_display_name' in error.data)) throw error
    return inTopic(topic === undefined ? NO_SUBJECT : '')
  }
}

/** Returns the present topic of the email that this one answers. */
async function answeredTopic({ chat, db }: Context, stream_id: number, answers: readonly string[], key: string) {
  for (const id of answers) {
    const found = await db
      .selectFrom('mail_received')
      .innerJoin('message', 'message.id', 'mail_received.message_id')
      .innerJoin('topic', 'topic.id', 'message.topic_id')
      .select('topic.name')
      .where('mail_received.digest', '=', receivedKey(chat, key, id))
      .where('topic.stream_id', '=', stream_id)
      .executeTakeFirst()
    if (found) return found.name
  }
  return undefined
}
