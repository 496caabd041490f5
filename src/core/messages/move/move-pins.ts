import { messageRow, visibleTo } from '../../access/message-visibility.ts'
import { readersOfAll } from '../../access/messages.ts'
import { emit } from '../../events/log/emit.ts'
import type { Tx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import type { Move } from './move-details.ts'
import { byNewestPin, pinsOf } from './pinned.ts'
import type { Selection } from './selection.ts'

/**
 * Moves the pins of messages that another channel now has. That channel's own pins stay, so nobody replaces them by
 * moving messages. Of the others, the newest fill the room that is left, and the rest end.
 */
export async function movePins(tx: Tx, move: Move, rest: Selection | undefined): Promise<void> {
  const { to, moved } = move
  const { idsIn } = dialectOf(tx.chat)
  const ids = moved.map(({ id }) => id)
  const pins = await pinsOf(tx).where('message_id', 'in', idsIn(ids)).execute()
  if (pins.length === 0) return
  const own = await pinsOf(tx).where('stream_id', '=', to.stream.id).execute()
  const room = tx.chat.options.limits.pinsPerChannel - own.length
  const newest = [...pins, ...(await pinsToCome(tx, rest))].toSorted(byNewestPin).slice(0, Math.max(0, room))
  const kept = new Set(newest.map(({ message_id }) => message_id))
  const ended = pins.flatMap(({ message_id }) => (kept.has(message_id) ? [] : [message_id]))
  const without = moved.filter(({ id }) => ended.includes(id))
  await tx.db.deleteFrom('pinned_message').where('message_id', 'in', idsIn(ended)).execute()
  await tx.db
    .updateTable('pinned_message')
    .set({ stream_id: to.stream.id })
    .where('message_id', 'in', idsIn(ids))
    .execute()
  if (without.length === 0) return
  const placed = without.map((message) => ({ ...message, conversation_id: to.stream.id }))
  await emit(tx, { type: 'pinned_messages', stream_id: to.stream.id }, await readersOfAll(tx, placed))
}

/** Returns the pins of messages that the next writes of this move bring. Other messages of the topic may stay behind. */
async function pinsToCome(tx: Tx, rest: Selection | undefined) {
  if (!rest) return []
  return pinsOf(tx)
    .innerJoin('message', 'message.id', 'message_id')
    .where('message.topic_id', '=', rest.topic_id)
    .where('message.id', '>=', rest.first)
    .where('message.id', '<=', rest.last)
    .where(visibleTo(messageRow, tx.user))
    .execute()
}
