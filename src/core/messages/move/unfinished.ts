import type { Message } from '../../access/messages.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Context, SystemTx, Tx } from '../../kernel/context.ts'
import type { Destination, Move, MoveOptions } from './move-details.ts'
import type { Selection } from './selection.ts'

/** The rest of a move, for further writes. */
export interface Unfinished {
  move: Omit<Move, 'moved'>
  options: MoveOptions
  /** Messages still to be moved; undefined once all are. */
  rest: Selection | undefined
  /** Ids between which users may still have moved messages unread, without the first and with the last. */
  unread: { after: number; last: number } | undefined
}

interface StoredPlace {
  stream_id: number
  topic: string
}
type Stored = Omit<Unfinished, 'move'> & {
  move: Omit<Unfinished['move'], 'message' | 'from' | 'to'> & {
    message: Pick<Message, 'id' | 'topic_id'>
    from: StoredPlace
    to: StoredPlace
  }
}

function toJson({ move, ...others }: Unfinished): string {
  const place = ({ stream, topic }: Destination): StoredPlace => ({ stream_id: stream.id, topic })
  const message = { id: move.message.id, topic_id: move.message.topic_id }
  const stored: Stored = { ...others, move: { ...move, message, from: place(move.from), to: place(move.to) } }
  return JSON.stringify(stored)
}

/** Stores a move so that it is finished even if the server stops. Returns its id. */
export async function storeUnfinished(tx: Tx, unfinished: Unfinished): Promise<number> {
  const row = { user_id: tx.user.id, touched_at: seconds(tx.chat.clock), rest: toJson(unfinished) }
  const { id } = await tx.db.insertInto('unfinished_move').values(row).returning('id').executeTakeFirstOrThrow()
  return id
}

/** Stores how far a move is, or that it is finished. */
export async function updateUnfinished(tx: SystemTx, id: number, unfinished: Unfinished | undefined): Promise<void> {
  if (!unfinished) await tx.db.deleteFrom('unfinished_move').where('id', '=', id).execute()
  else {
    const row = { touched_at: seconds(tx.chat.clock), rest: toJson(unfinished) }
    await tx.db.updateTable('unfinished_move').set(row).where('id', '=', id).execute()
  }
}

/** Returns a stored move and who moves, or undefined once it is finished, and if a channel was removed since. */
export async function findUnfinished(
  { db }: Pick<Context, 'db'>,
  id: number,
): Promise<{ user_id: number; unfinished: Unfinished } | undefined> {
  const row = await db.selectFrom('unfinished_move').select(['user_id', 'rest']).where('id', '=', id).executeTakeFirst()
  if (!row) return undefined
  const { move, ...others } = JSON.parse(row.rest) as Stored
  const place = async ({ stream_id, topic }: StoredPlace): Promise<Destination | undefined> => {
    const stream = await db.selectFrom('stream').selectAll().where('id', '=', stream_id).executeTakeFirst()
    return stream && { stream: { ...stream, subscribed: true }, topic }
  }
  const [from, to] = [await place(move.from), await place(move.to)]
  if (!from || !to) return undefined
  return { user_id: row.user_id, unfinished: { ...others, move: { ...move, from, to } } }
}
