import { fold } from '../../../storage/index.ts'
import type { Message } from '../../access/messages.ts'
import { topicNameOf } from '../../access/topics.ts'
import type { Tx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { keepFirstMessage } from '../send/first-message.ts'
import { findTopic, invalidateTopic, topicFor } from '../send/topics.ts'
import type { Move } from './move-details.ts'
import { movePins } from './move-pins.ts'
import type { Selection } from './selection.ts'

/** The stream and the topic of a message in a stream. */
export async function placeOf({ db }: Pick<Tx, 'db'>, message: Pick<Message, 'conversation_id' | 'topic_id'>) {
  const stream = await db
    .selectFrom('stream')
    .selectAll()
    .where('id', '=', message.conversation_id)
    .executeTakeFirstOrThrow()
  const topic = await topicNameOf(db, message.topic_id!)
  // Access to the message was checked, so it no longer matters whether a subscription allowed it.
  return { stream: { ...stream, subscribed: true }, topic }
}

const idsOf = (move: Move) => move.moved.map((message) => [message.id])

/** Stores in each message where it was. */
export async function recordMove(tx: Tx, move: Move): Promise<void> {
  const { from, to, at } = move
  const newTopic = to.topic !== from.topic
  const newStream = to.stream.id !== from.stream.id
  await tx.db
    .insertInto('message_edit')
    .columns(['message_id', 'user_id', 'edited_at', 'prev_topic', 'topic', 'prev_stream_id', 'stream_id'])
    .expression((eb) =>
      eb
        .selectFrom(dialectOf(tx.chat).rows(['id'], idsOf(move)).as('moved'))
        .select([
          'moved.id',
          eb.val(tx.user.id).as('user_id'),
          eb.val(at).as('edited_at'),
          eb.val(newTopic ? from.topic : null).as('prev_topic'),
          eb.val(newTopic ? to.topic : null).as('topic'),
          eb.val(newStream ? from.stream.id : null).as('prev_stream_id'),
          eb.val(newStream ? to.stream.id : null).as('stream_id'),
        ]),
    )
    .execute()
}

/** @param rest - what the next writes of this move bring */
export async function relocate(tx: Tx, move: Move, rest: Selection | undefined): Promise<void> {
  const { from, to, at, moved } = move
  const topic_id = await topicToMoveTo(tx, move)
  const idsIn = dialectOf(tx.chat).idsIn(moved.map((message) => message.id))
  const stays = topic_id === move.message.topic_id && to.stream.id === from.stream.id
  await tx.db
    .updateTable('message')
    .set((eb) => ({
      moved_at: at,
      ...(!stays && {
        topic_id,
        conversation_id: to.stream.id,
        // Moved back to where it was sent, its origin is cleared.
        origin_id: eb.fn<number | null>('nullif', [
          eb.fn.coalesce('origin_id', 'conversation_id'),
          eb.val(to.stream.id),
        ]),
      }),
    }))
    .where('id', 'in', idsIn)
    .execute()
  if (!stays && move.whole) {
    await tx.db.deleteFrom('topic').where('id', '=', move.message.topic_id).execute()
    invalidateTopic(tx, from.stream.id, fold(from.topic))
  }
  if (to.stream.id === from.stream.id) return
  await movePins(tx, move, rest)
  await keepFirstMessage(tx, [from.stream.id, to.stream.id])
}

/** The row of the topic the messages will be in. A whole topic that is only renamed keeps its row. */
async function topicToMoveTo(tx: Tx, { whole, from, to, message }: Move): Promise<number> {
  const name_key = fold(to.topic)
  const there = await findTopic(tx, to.stream.id, name_key)
  if (to.stream.id === from.stream.id && whole && (there === undefined || there === message.topic_id)) {
    await tx.db.updateTable('topic').set({ name: to.topic, name_key }).where('id', '=', message.topic_id).execute()
    for (const topic of [from.topic, to.topic]) invalidateTopic(tx, to.stream.id, fold(topic))
    return message.topic_id!
  }
  return there ?? (await topicFor(tx, to.stream.id, to.topic, name_key)).id
}
