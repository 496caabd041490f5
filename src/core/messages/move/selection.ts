import * as v from 'valibot'
import { visibleTo } from '../../access/message-visibility.ts'
import type { Message } from '../../access/messages.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Tx } from '../../kernel/context.ts'
import { ChatError } from '../../kernel/errors.ts'
import { moveLimit } from './rules.ts'

export const propagateMode = v.picklist(['change_one', 'change_later', 'change_all'])
export type PropagateMode = v.InferOutput<typeof propagateMode>

export type MovedMessage = Pick<Message, 'id' | 'conversation_id' | 'topic_id' | 'sender_id' | 'sent_at' | 'origin_id'>

/** Messages of a topic by a range of ids, both ends included; only those the mover can see. */
export interface Selection {
  topic_id: number
  first: number
  last: number
}

/** The messages of the topic that move with this one. */
export async function selectionFor(tx: Tx, message: Message, mode: PropagateMode): Promise<Selection> {
  const topic_id = message.topic_id!
  if (mode === 'change_one') return { topic_id, first: message.id, last: message.id }
  const newest = await tx.db
    .selectFrom('message')
    .select((eb) => eb.fn.max('id').as('id'))
    .where('topic_id', '=', topic_id)
    .executeTakeFirst()
  return { topic_id, first: mode === 'change_later' ? message.id : 0, last: newest?.id ?? message.id }
}

const selected = (tx: Tx, { topic_id, first, last }: Selection) =>
  tx.db
    .selectFrom('message')
    .where('topic_id', '=', topic_id)
    .where('id', '>=', first)
    .where('id', '<=', last)
    .where((eb) => visibleTo(eb, tx.user))

/** The first of them, oldest first. */
export const messagesToMove = (tx: Tx, selection: Selection, limit: number): Promise<MovedMessage[]> =>
  selected(tx, selection)
    .select(['id', 'conversation_id', 'topic_id', 'sender_id', 'sent_at', 'origin_id'])
    .orderBy('id')
    .limit(limit)
    .execute()

export async function countSelected(tx: Tx, selection: Selection): Promise<number> {
  const { count } = await selected(tx, selection)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

/** Throws where a whole topic has messages that are too old for the mover, and says how many may be moved. */
export async function requireAllMovable(tx: Tx, selection: Selection, toOtherStream: boolean): Promise<void> {
  const limit = await moveLimit(tx, toOtherStream)
  if (limit === null) return
  const total = await countSelected(tx, selection)
  const { allowed, first } = await selected(tx, selection)
    .select((eb) => [eb.fn.countAll<number>().as('allowed'), eb.fn.min('id').as('first')])
    .where('sent_at', '>=', seconds(tx.chat.clock) - limit)
    .executeTakeFirstOrThrow()
  if (allowed === total) return
  throw new ChatError(
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    `You only have permission to move the ${allowed}/${total} most recent messages in this topic.`,
    {
      first_message_id_allowed_to_move: first,
      total_messages_in_topic: total,
      total_messages_allowed_to_move: allowed,
    },
  )
}
