import { fold } from '../../../storage/index.ts'
import type { Message } from '../../access/messages.ts'
import { topicNameOf } from '../../access/topics.ts'
import { seconds } from '../../base/clock.ts'
import type { Caller, Tx } from '../../context.ts'
import { inSlices } from '../../slices.ts'
import { dialectOf } from '../../store.ts'
import type { Stream } from '../../streams/access.ts'
import { keepFirstMessage } from '../send/first-message.ts'
import { findTopic, findTopicRow, topicFor, withSpelling } from '../send/topics.ts'
import { emitMove } from './events.ts'
import type { Destination, Move, MoveOptions } from './move-details.ts'
import { sendMoveNotices } from './notices.ts'
import { viewersBeforeMove } from './readers.ts'
import { peopleToRead, readMoved, readOnMoving } from './reading.ts'
import {
  countSelected,
  type MovedMessage,
  messagesToMove,
  requireAllMovable,
  type Selection,
  selectionFor,
} from './selection.ts'
import { moveVisibility } from './topic-visibility.ts'
/** The stream and the topic of a message in a stream. */
export async function placeOf({ db }: Pick<Tx, 'db'>, message: Pick<Message, 'conversation_id' | 'topic_id'>) {
  const stream = await db
    .selectFrom('stream')
    .selectAll()
    .where('id', '=', message.conversation_id)
    .executeTakeFirstOrThrow()
  const topic = await topicNameOf(db, message.topic_id!)
  // The message's access has been checked: whether by a subscription no longer matters.
  return { stream: { ...stream, subscribed: true }, topic }
}

/** Messages moved in one write. */
const MOVE_SLICE = 2000

/** What is left to do of a move, in further writes. */
export interface Unfinished {
  move: Omit<Move, 'moved' | 'whole'>
  options: MoveOptions
  /** Messages still to be moved; empty once all are. */
  rest: Selection | undefined
  /** Messages that some users may still have unread. */
  unread: MovedMessage[]
}

/**
 * Moves a message, and those of its topic that move with it, to another topic or stream. The caller's permission has
 * been checked.
 *
 * @returns the rest of the work for `finishMove`, where one write would take too long
 */
export async function moveMessages(
  tx: Tx,
  message: Message,
  requested: Destination,
  options: MoveOptions,
): Promise<Unfinished> {
  const from = await placeOf(tx, message)
  const to = await withStoredSpelling(tx, message, requested)
  const toOtherStream = to.stream.id !== from.stream.id
  // One topic has one spelling: a change of case applies to the whole topic.
  const changesSpellingOnly = !toOtherStream && fold(to.topic) === fold(from.topic)
  const mode = changesSpellingOnly ? 'change_all' : options.mode
  const rest = await selectionFor(tx, message, mode)
  if (mode === 'change_all') await requireAllMovable(tx, rest, toOtherStream)
  const intoNew = changesSpellingOnly || !(await hasMessages(tx, to.stream, to.topic))
  const move = { message, mode, from, to, total: 0, intoNew, changesSpellingOnly, at: seconds(tx.chat.clock) }
  return moveSlice(tx, { move, options, rest, unread: [] })
}

/** Continues where `moveMessages` stopped, in further writes. */
export async function finishMove(caller: Caller, begun: Unfinished): Promise<void> {
  let unfinished = begun
  while (unfinished.rest) unfinished = await caller.write((tx) => moveSlice(tx, unfinished))
  const { move, unread } = unfinished
  const people = await peopleToRead(caller, move.from.stream, move.to.stream, unread)
  await inSlices(caller, people, 1, (tx, user_ids) => readMoved(tx, move.to.stream, user_ids, unread))
}

async function moveSlice(tx: Tx, { move: all, options, rest, unread }: Unfinished): Promise<Unfinished> {
  const { message } = all
  const found = await messagesToMove(tx, rest!, MOVE_SLICE + 1)
  const moved = found.slice(0, MOVE_SLICE)
  const left = found[MOVE_SLICE]
  // If only the spelling changes nothing leaves the topic, so what stays behind cannot be counted there.
  const whole = all.changesSpellingOnly
    ? (await countSelected(tx, { ...rest!, first: 0 })) === (await countIn(tx, message.topic_id!))
    : moved.length === (await countIn(tx, message.topic_id!))
  const move: Move = { ...all, moved, whole, total: all.total + moved.length }
  // Between two writes all the remaining messages may have been deleted.
  const later = moved.length > 0 && (await perform(tx, move)) === 'unread'
  if (!left) {
    await moveVisibility(tx, move)
    await sendMoveNotices(tx, move, options)
  }
  return {
    move: { ...all, total: move.total },
    options,
    rest: left && { ...rest!, first: left.id },
    unread: later ? [...unread, ...moved] : unread,
  }
}

/** Moves messages and emits the events; returns whether users may still have some of them unread. */
async function perform(tx: Tx, move: Move): Promise<'unread' | 'read'> {
  const { from, to, moved } = move
  const readers = await viewersBeforeMove(tx, move)
  const read = to.stream.id === from.stream.id || (await readOnMoving(tx, from.stream, to.stream, moved))
  await recordMove(tx, move)
  await relocate(tx, move)
  await emitMove(tx, move, readers)
  return read ? 'read' : 'unread'
}

/** An existing topic keeps its spelling, unless the message's own topic is renamed. */
async function withStoredSpelling(tx: Tx, message: Message, to: Destination): Promise<Destination> {
  const there = await findTopicRow(tx, to.stream.id, fold(to.topic))
  if (!there || there.id === message.topic_id) return to
  return { ...to, topic: (await withSpelling(tx, there, to.topic)).name }
}

async function countIn(tx: Tx, topic_id: number): Promise<number> {
  const { count } = await tx.db
    .selectFrom('message')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('topic_id', '=', topic_id)
    .executeTakeFirstOrThrow()
  return count
}

async function hasMessages(tx: Tx, stream: Stream, topic: string): Promise<boolean> {
  const topic_id = await findTopic(tx, stream.id, fold(topic))
  if (topic_id === undefined) return false
  const row = await tx.db
    .selectFrom('message')
    .select('id')
    .where('topic_id', '=', topic_id)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

const idsOf = (move: Move) => move.moved.map((message) => [message.id])

/** Stores in each message where it was. */
async function recordMove(tx: Tx, move: Move): Promise<void> {
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

async function relocate(tx: Tx, move: Move): Promise<void> {
  const { from, to, at, moved } = move
  const topic_id = await topicToMoveTo(tx, move)
  const periods = topic_id === move.message.topic_id && to.stream.id === from.stream.id
  await tx.db
    .updateTable('message')
    .set((eb) => ({
      moved_at: at,
      ...(!periods && {
        topic_id,
        conversation_id: to.stream.id,
        // Moved back to where it was sent, its origin is cleared.
        origin_id: eb.fn<number | null>('nullif', [
          eb.fn.coalesce('origin_id', 'conversation_id'),
          eb.val(to.stream.id),
        ]),
      }),
    }))
    .where('id', 'in', dialectOf(tx.chat).idsIn(moved.map((message) => message.id)))
    .execute()
  if (!periods && move.whole) await tx.db.deleteFrom('topic').where('id', '=', move.message.topic_id).execute()
  if (to.stream.id !== from.stream.id) await keepFirstMessage(tx, [from.stream.id, to.stream.id])
}

/** The row of the topic the messages will be in. A whole topic that is only renamed keeps its row. */
async function topicToMoveTo(tx: Tx, { whole, from, to, message }: Move): Promise<number> {
  const name_key = fold(to.topic)
  const there = await findTopic(tx, to.stream.id, name_key)
  if (to.stream.id === from.stream.id && whole && (there === undefined || there === message.topic_id)) {
    await tx.db.updateTable('topic').set({ name: to.topic, name_key }).where('id', '=', message.topic_id).execute()
    return message.topic_id!
  }
  return there ?? (await topicFor(tx, to.stream.id, to.topic, name_key)).id
}
