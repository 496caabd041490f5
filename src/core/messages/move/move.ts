import { fold } from '../../../storage/index.ts'
import type { Message } from '../../access/messages.ts'
import { visibleMessagesOf } from '../../access/visible-messages.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { chunked } from '../../kernel/base/lists.ts'
import { type Caller, onBehalfOf, type Tx } from '../../kernel/context.ts'
import { inSlices, nextSize } from '../../kernel/slices.ts'
import { dialectOf } from '../../kernel/store.ts'
import { setVisibility, type Visibility, visibility } from '../../streams/user-topics.ts'
import { findUsers } from '../../users/access.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { silentMention } from '../notices/words.ts'
import { sendToTopic } from '../send/post-message.ts'
import { findTopicRow, hasMessages, withSpelling } from '../send/topics.ts'
import { emitMove } from './events.ts'
import type { Destination, Move, MoveOptions } from './move-details.ts'
import { peopleToRead, readMoved, readOnMoving } from './reading.ts'
import { placeOf, recordMove, relocate } from './relocate.ts'
import { unreadForNotice } from './resolve-notice.ts'
import { isResolved, isResolveToggle } from './resolved-topics.ts'
import {
  countSelected,
  type MovedMessage,
  messagesToMove,
  requireAllMovable,
  type Selection,
  selectionFor,
} from './selection.ts'

/** Messages moved in the first write. Later writes have as many as fit into a short time, and at least some. */
const FIRST_SLICE = 100
const LEAST_SLICE = 50

/** Messages looked up in one query for each user who may have them unread. */
const READ_SLICE = 1000

/** The rest of a move, for further writes. */
export interface Unfinished {
  move: Omit<Move, 'moved' | 'whole'>
  options: MoveOptions
  /** Messages still to be moved; empty once all are. */
  rest: Selection | undefined
  /** Messages that some users may still have unread. */
  unread: MovedMessage[]
  /** Messages to move in the next write. */
  size: number
}

/**
 * Moves a message, and the messages of its topic that move with it, to another topic or stream. The caller has checked
 * permissions.
 *
 * @returns the rest of the work for `finishMove`, if one write would take too long
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
  // A topic has one spelling, so a change of case applies to the entire topic.
  const changesSpellingOnly = !toOtherStream && fold(to.topic) === fold(from.topic)
  const mode = changesSpellingOnly ? 'change_all' : options.mode
  const rest = await selectionFor(tx, message, mode)
  if (mode === 'change_all') await requireAllMovable(tx, rest, toOtherStream)
  const intoNew = changesSpellingOnly || !(await hasMessages(tx, to.stream.id, to.topic))
  const move = { message, mode, from, to, total: 0, intoNew, changesSpellingOnly, at: seconds(tx.chat.clock) }
  return moveSlice(tx, { move, options, rest, unread: [], size: FIRST_SLICE })
}

/** Continues where `moveMessages` stopped, in further writes. */
export async function finishMove(caller: Caller, begun: Unfinished): Promise<void> {
  let unfinished = begun
  while (unfinished.rest) unfinished = await caller.write((tx) => moveSlice(tx, unfinished))
  const { move, unread } = unfinished
  const people = await peopleToRead(caller, move.from.stream, move.to.stream, unread)
  for (const messages of chunked(unread, READ_SLICE)) {
    await inSlices(caller, people, 1, (tx, user_ids) => readMoved(tx, move.to.stream, user_ids, messages))
  }
}

async function moveSlice(tx: Tx, { move: all, options, rest, unread, size }: Unfinished): Promise<Unfinished> {
  const began = performance.now()
  const { message } = all
  const found = await messagesToMove(tx, rest!, size + 1)
  const moved = found.slice(0, size)
  const left = found[size]
  // If only the spelling changes, nothing leaves the topic, so the rest can't be counted there.
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
    size: Math.max(LEAST_SLICE, nextSize(size, performance.now() - began)),
  }
}

/** Moves messages and emits the events. Returns whether users may still have some of them unread. */
async function perform(tx: Tx, move: Move): Promise<'unread' | 'read'> {
  const { from, to, moved } = move
  const read = to.stream.id === from.stream.id || (await readOnMoving(tx, from.stream, to.stream, moved))
  await recordMove(tx, move)
  await relocate(tx, move)
  await emitMove(tx, move)
  return read ? 'read' : 'unread'
}

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

/** Posts notices about the move in both topics, from the server's own bot. */
async function sendMoveNotices(tx: Tx, move: Move, { notifyOldThread, notifyNewThread }: MoveOptions): Promise<void> {
  const { from, to } = move
  // A silent mention, because the user who moved them needs no notification.
  const who = silentMention(tx.user)
  const say = async ({ stream, topic }: Destination, content: string, unreadFor?: readonly number[]) =>
    void (await sendToTopic(await asSystemBot(tx), stream.id, topic, content, { unreadFor }))
  if (to.stream.id === from.stream.id && isResolveToggle(from.topic, to.topic)) {
    const state = isResolved(to.topic) ? 'resolved' : 'unresolved'
    await say(to, `${who} has marked this topic as ${state}.`, await unreadForNotice(tx, to))
    return
  }
  const changesSpellingOnly = to.stream.id === from.stream.id && from.topic.toLowerCase() === to.topic.toLowerCase()
  if (notifyOldThread && !changesSpellingOnly)
    await say(from, `${what(move, 'from this topic')} to ${nameOf(to, from)} by ${who}.`)
  if (notifyNewThread && !changesSpellingOnly)
    await say(to, `${what(move, 'here')} from ${nameOf(from, to)} by ${who}.`)
}

function what({ whole, intoNew, total }: Move, where: 'here' | 'from this topic'): string {
  if (where === 'here') {
    if (whole && intoNew) return 'This topic was moved here'
    return total === 1 ? 'A message was moved here' : `${total} messages were moved here`
  }
  if (whole) return 'This topic was moved'
  return total === 1 ? 'A message was moved from this topic' : `${total} messages were moved from this topic`
}

/**
 * Returns a link to a topic for readers of another stream. The name of a private stream is only for its subscribers.
 */
function nameOf({ stream, topic }: Destination, reader: Destination): string {
  if (stream.invite_only && stream.id !== reader.stream.id) return 'a private channel'
  return topic === '' ? `#**${stream.name}**` : `#**${stream.name}>${topic}**`
}

/** Moves users' visibility policies with a topic if all of its messages are moved. */
async function moveVisibility(tx: Tx, { whole, moved, from, to }: Move): Promise<void> {
  const key = fold(from.topic)
  const sameStream = to.stream.id === from.stream.id
  if (!whole || (sameStream && fold(to.topic) === key)) return
  const policies = await tx.db
    .selectFrom('user_topic')
    .select(['user_id', 'visibility_policy'])
    .where('stream_id', '=', from.stream.id)
    .where('topic_key', '=', key)
    .execute()
  if (policies.length === 0) return
  const { idsIn } = dialectOf(tx.chat)
  const chosen = await tx.db
    .selectFrom('user_topic')
    .select('user_id')
    .where('stream_id', '=', to.stream.id)
    .where('topic_key', '=', fold(to.topic))
    .where('user_id', 'in', idsIn(policies.map((row) => row.user_id)))
    .execute()
  const users = await findUsers(
    tx,
    policies.map((row) => row.user_id),
  )
  const ids = moved.map((message) => message.id)
  const visible = await visibleMessagesOf(tx, to.stream, [...users.keys()], ids)
  // A policy for an existing target topic stays.
  const periods = new Set(chosen.map((row) => row.user_id))
  for (const { user_id, visibility_policy } of policies) {
    const own = onBehalfOf(tx, users.get(user_id)!)
    await setVisibility(own, from.stream, from.topic, visibility.inherit)
    if (periods.has(user_id) || !visible.has(user_id)) continue
    await setVisibility(own, to.stream, to.topic, visibility_policy as Visibility)
  }
}
