import { statement } from '../../../storage/index.ts'
import { leads } from '../../events/log/follow-peers.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Caller, type Context, contextOf, onBehalfOf, type SystemTx } from '../../kernel/context.ts'
import { inSlices, isWriting } from '../../kernel/slices.ts'
import { storeOf } from '../../kernel/store.ts'
import { findUser } from '../../kernel/user.ts'
import { LARGEST_SLICE, moveSlice } from './move.ts'
import { peopleToRead, readMoved } from './reading.ts'
import type { MovedMessage } from './selection.ts'
import { findUnfinished, updateUnfinished } from './unfinished.ts'

/** Messages looked up in one query for each user who may have them unread. */
const READ_SLICE = 500
/** Users whose messages are marked as read in one write. */
const MOST_READERS = 2

/** Continues where `moveMessages` stopped, in further writes. They don't depend on the account that began it. */
export const finishMove = (caller: Caller, id: number): Promise<void> =>
  finish(isWriting(caller) ? caller : contextOf(caller.chat, { client: caller.client, origin: caller.origin }), id)

async function finish(context: Context, id: number): Promise<void> {
  for (let size: number | undefined = LARGEST_SLICE; size !== undefined; ) {
    const next: number = size
    size = await context.write((tx) => moveNext(tx, id, next))
  }
  while (await readNext(context, id));
}

/** Moves some messages. Returns how many to move next, or undefined once all are moved. */
async function moveNext(tx: SystemTx, id: number, size: number): Promise<number | undefined> {
  const found = await findUnfinished(tx, id)
  const user = found && (await findUser(tx.db, found.user_id))
  if (!found?.unfinished.rest || !user) return undefined
  const next = await moveSlice(onBehalfOf(tx, user), found.unfinished, found.unfinished.rest, size)
  await updateUnfinished(tx, id, next.unfinished)
  return next.unfinished?.rest && next.size
}

/** Marks some of the moved messages as read for users who don't see them in the new place. Returns whether any are left. */
async function readNext(context: Context, id: number): Promise<boolean> {
  const found = await findUnfinished(context, id)
  if (!found) return false
  const { unfinished } = found
  const { move, unread } = unfinished
  const messages = unread ? await movedBetween(context, unread, move) : []
  const last = messages.at(-1)
  if (last) {
    const people = await peopleToRead(context, move.from.stream, move.to.stream, messages)
    await inSlices(context, people, 1, (tx, ids) => readMoved(tx, move.to.stream, ids, messages), {
      most: MOST_READERS,
    })
  }
  const rest = last && { ...unfinished, unread: { ...unread!, after: last.id } }
  await context.write((tx) => updateUnfinished(tx, id, rest))
  return rest !== undefined
}

/** The first of the moved messages that are still there. */
const movedBetween = (
  { db }: Pick<Context, 'db'>,
  { after, last }: { after: number; last: number },
  { to, at }: { to: { stream: { id: number } }; at: number },
): Promise<MovedMessage[]> =>
  db
    .selectFrom('message')
    .select(['id', 'conversation_id', 'topic_id', 'sender_id', 'sent_at', 'origin_id'])
    .where('conversation_id', '=', to.stream.id)
    .where('id', '>', after)
    .where('id', '<=', last)
    .where('moved_at', '=', at)
    .orderBy('id')
    .limit(READ_SLICE)
    .execute()

const LOOK_MS = 60_000
/** A move that nobody has continued for this long was left, in seconds. */
const LEFT_AFTER = 60

/** Finishes moves that were left: the server stopped, or a write failed. */
export interface Moves {
  /** Call it when the chat opens. Looks again every minute. */
  wake(): void
  stop(): Promise<void>
}

export function startMoves(chat: Chat): Moves {
  const context = contextOf(chat)
  let stopped = false
  let running: Promise<void> | undefined
  let cancel = () => {}
  const run = async () => {
    if (!leads(chat)) return
    for (let rows = await left(context); rows.length > 0; rows = await left(context)) {
      for (const { id } of rows) {
        if (stopped) return
        await finish(context, id)
        // Without its channels it can't be finished.
        await context.write((tx) => updateUnfinished(tx, id, undefined))
      }
    }
  }
  const wake = () => {
    if (stopped || running) return
    cancel()
    running = run()
      .catch((error) => {
        if (!stopped) chat.options.logger.error({ err: error }, 'finishing a move of messages failed')
      })
      .finally(() => {
        running = undefined
        if (!stopped) cancel = chat.clock.after(LOOK_MS, wake)
      })
  }
  return {
    wake,
    async stop() {
      stopped = true
      cancel()
      await running
    },
  }
}

/** Left moves in one query. */
const LEFT = 100

const touchedBefore = statement((db, p: { up_to: number }) =>
  db.selectFrom('unfinished_move').select('id').where('touched_at', '<=', p.up_to).orderBy('id').limit(LEFT),
)

/** Without peers, all moves from before this process opened the database were left. */
function left({ db, chat }: Context) {
  const before = seconds(chat.clock) - LEFT_AFTER
  const up_to = storeOf(chat).peers ? before : Math.max(before, chat.openedAt)
  return touchedBefore(db, { up_to })
}
