import { fold } from '../../../storage/index.ts'
import type { Message } from '../../access/messages.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Tx } from '../../kernel/context.ts'
import { nextSize } from '../../kernel/slices.ts'
import { findTopicRow, hasMessages, withSpelling } from '../send/topics.ts'
import { emitMove } from './events.ts'
import { type Counted, requireAllMovable } from './movable.ts'
import type { Destination, Move, MoveOptions } from './move-details.ts'
import { sendMoveNotices } from './notices.ts'
import { readOnMoving } from './reading.ts'
import { placeOf, recordMove, relocate } from './relocate.ts'
import { countSelected, messagesToMove, type Selection, selectionFor } from './selection.ts'
import { storeUnfinished, type Unfinished } from './unfinished.ts'
import { moveVisibility } from './visibility.ts'

/** Messages moved in one write: as many as fit into a short time, which doesn't include the commit. */
export const LARGEST_SLICE = 100
const LEAST_SLICE = 50

/**
 * Moves a message, and the messages of its topic that move with it, to another topic or stream. The caller has checked
 * permissions.
 *
 * @param counted - what was counted before this write, of a whole topic
 * @returns the id of the unfinished move for `finishMove`, if one write would take too long
 */
export async function moveMessages(
  tx: Tx,
  message: Message,
  requested: Destination,
  options: MoveOptions,
  counted?: Counted,
): Promise<number | undefined> {
  const from = await placeOf(tx, message)
  const to = await withStoredSpelling(tx, message, requested)
  const toOtherStream = to.stream.id !== from.stream.id
  // A topic has one spelling, so a change of case applies to the entire topic.
  const changesSpellingOnly = !toOtherStream && fold(to.topic) === fold(from.topic)
  const mode = changesSpellingOnly ? 'change_all' : options.mode
  const selection = await selectionFor(tx, message, mode)
  if (mode === 'change_all') await requireAllMovable(tx, selection, toOtherStream, counted)
  const intoNew = changesSpellingOnly || !(await hasMessages(tx, to.stream.id, to.topic))
  // If only the spelling changes, nothing leaves the topic, so the rest can't be counted there later.
  const whole = changesSpellingOnly && (await countSelected(tx, selection)) === (await countIn(tx, message.topic_id!))
  const at = seconds(tx.chat.clock)
  const move = { message, mode, from, to, total: 0, intoNew, changesSpellingOnly, whole, at }
  const { unfinished } = await moveSlice(tx, { move, options, unread: undefined }, selection, LARGEST_SLICE)
  return unfinished && storeUnfinished(tx, unfinished)
}

/**
 * Moves the first messages of a selection.
 *
 * @returns what is left to do, and how many messages the next write should move
 */
export async function moveSlice(
  tx: Tx,
  { move: all, options, unread }: Pick<Unfinished, 'move' | 'options' | 'unread'>,
  selection: Selection,
  size: number,
): Promise<{ unfinished: Unfinished | undefined; size: number }> {
  const began = performance.now()
  const found = await messagesToMove(tx, selection, size + 1)
  const moved = found.slice(0, size)
  const left = found[size]
  const isRest = async () => !left && moved.length === (await countIn(tx, all.message.topic_id!))
  const whole = all.changesSpellingOnly ? all.whole : await isRest()
  const move: Move = { ...all, moved, whole, total: all.total + moved.length }
  const [first] = moved
  let later = unread
  const rest = left && { ...selection, first: left.id }
  // Between two writes all the remaining messages may have been deleted.
  if (first) {
    // Once it is postponed for some messages, it is postponed for all later ones.
    if (!later && !(await isReadOnMoving(tx, move))) later = { after: first.id - 1, last: selection.last }
    await recordMove(tx, move)
    await relocate(tx, move, rest)
    await emitMove(tx, move)
  }
  if (!left) {
    await moveVisibility(tx, move)
    await sendMoveNotices(tx, move, options)
  }
  return {
    unfinished: rest || later ? { move: { ...all, total: move.total }, options, rest, unread: later } : undefined,
    size: Math.min(LARGEST_SLICE, Math.max(LEAST_SLICE, nextSize(size, performance.now() - began))),
  }
}

/** Returns false if users may still have some of the messages unread. */
const isReadOnMoving = async (tx: Tx, { from, to, moved }: Move): Promise<boolean> =>
  to.stream.id === from.stream.id || readOnMoving(tx, from.stream, to.stream, moved)

/** An existing topic keeps its spelling, unless the message's own topic is renamed. */
async function withStoredSpelling(tx: Tx, message: Message, to: Destination): Promise<Destination> {
  const there = await findTopicRow(tx, to.stream.id, fold(to.topic))
  if (!there || there.id === message.topic_id) return to
  return { ...to, topic: (await withSpelling(tx, to.stream.id, there, to.topic)).name }
}

async function countIn(tx: Tx, topic_id: number): Promise<number> {
  const { count } = await tx.db
    .selectFrom('message')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('topic_id', '=', topic_id)
    .executeTakeFirstOrThrow()
  return count
}
