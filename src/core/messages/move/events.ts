import { readersOfAll, withUser } from '../../access/messages.ts'
import { emit } from '../../events/log/emit.ts'
import type { LoggedEvent } from '../../events/types/table.ts'
import type { Tx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { type TopicLink, topicLinks } from '../../organization/linkifiers/topic-links.ts'
import type { Move } from './move-details.ts'
import type { MovedMessage } from './selection.ts'
import { affectedGuests, readersOfMove, readersOneByOne, withEqualReaders } from './viewers.ts'

/**
 * Emits the events of a move: an update for users who see the messages before and after, and a deletion for users who
 * no longer do. Nobody receives the id of a message that they can't see. Audiences describe these users, so that a move
 * among many subscribers doesn't list them in each of its writes. Only guests of public streams are listed.
 */
export async function emitMove(tx: Tx, move: Move): Promise<void> {
  const { from, to } = move
  const links = await topicLinks(tx, to.topic)
  const idsOf = (part: readonly MovedMessage[]) => part.map((message) => message.id)
  const parts = await withEqualReaders(tx, move)
  if (from.stream.id === to.stream.id) {
    for (const part of parts) {
      const readers = withUser(await readersOfAll(tx, part), tx.user.id)
      await emit(tx, moveEvent(tx, move, idsOf(part), links), readers)
    }
    return
  }
  const guests = await affectedGuests(tx, move)
  for (const part of parts) {
    const { kept, lost } = await readersOfMove(tx, move, part)
    const except = guests.length > 0 && { except: guests }
    const part_ids = idsOf(part)
    // The person who moves them sees them, and in a public channel also afterwards.
    const readers = to.stream.invite_only ? kept : withUser(kept, tx.user.id)
    await emit(tx, moveEvent(tx, move, part_ids, links), { ...readers, ...except })
    if (lost) await emit(tx, deletion(move, part_ids), { ...lost, ...except })
  }
  for (const { users, kept, lost } of await readersOneByOne(tx, move, guests)) {
    if (kept.length > 0) await emit(tx, moveEvent(tx, move, kept, links), { users })
    if (lost.length > 0) await emit(tx, deletion(move, lost), { users })
  }
  await dropFlags(tx, move)
}

const deletion = ({ from }: Move, message_ids: readonly number[]): LoggedEvent<'delete_message'> => ({
  type: 'delete_message',
  message_ids,
  message_type: 'stream',
  stream_id: from.stream.id,
  topic: from.topic,
})

/** Removes personal flags of messages that a user no longer sees. */
async function dropFlags(tx: Tx, move: Move): Promise<void> {
  const { idsIn } = dialectOf(tx.chat)
  const flags = idsIn(move.moved.map((message) => message.id))
  const holders = await tx.db
    .selectFrom('message_flag')
    .select('user_id')
    .distinct()
    .where('message_id', 'in', flags)
    .execute()
  const user_ids = holders.map((row) => row.user_id)
  for (const { users, lost } of await readersOneByOne(tx, move, user_ids)) {
    await tx.db
      .deleteFrom('message_flag')
      .where('message_id', 'in', idsIn(lost))
      .where('user_id', 'in', idsIn(users))
      .execute()
  }
}

function moveEvent(
  tx: Tx,
  { message, mode, from, to, at }: Move,
  message_ids: readonly number[],
  topic_links: readonly TopicLink[],
): LoggedEvent<'update_message'> {
  return {
    type: 'update_message',
    user_id: tx.user.id,
    edit_timestamp: at,
    message_id: message_ids.includes(message.id) ? message.id : message_ids[0]!,
    message_ids,
    rendering_only: false,
    stream_id: from.stream.id,
    stream_name: from.stream.name,
    propagate_mode: mode,
    orig_subject: from.topic,
    ...(to.topic !== from.topic && { subject: to.topic, topic_links }),
    ...(to.stream.id !== from.stream.id && { new_stream_id: to.stream.id }),
  }
}
