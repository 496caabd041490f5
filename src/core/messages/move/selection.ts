import * as v from 'valibot'
import { visibleTo } from '../../access/message-visibility.ts'
import type { Message } from '../../access/messages.ts'
import type { Caller, Tx } from '../../kernel/context.ts'

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

/** The messages of a selection, as a query. */
export const selected = ({ db, user }: Pick<Caller, 'db' | 'user'>, { topic_id, first, last }: Selection) =>
  db
    .selectFrom('message')
    .where('topic_id', '=', topic_id)
    .where('id', '>=', first)
    .where('id', '<=', last)
    .where((eb) => visibleTo(eb, user))

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
