import { readersOfAll } from '../../access/messages.ts'
import { type VisibleMessages, visibleMessagesOf } from '../../access/visible-messages.ts'
import { emit } from '../../events/log/emit.ts'
import type { LoggedEvent } from '../../events/types/table.ts'
import type { Tx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import { type TopicLink, topicLinks } from '../../organization/linkifiers/topic-links.ts'
import type { Move } from './move-details.ts'
import { isBetweenPublicStreams, type Viewers } from './viewers.ts'

/**
 * Emits the events of a move: an update for users who see the messages before and after, and a deletion for users who
 * no longer do.
 */
export async function emitMove(tx: Tx, move: Move, { affected, before }: Viewers): Promise<void> {
  const { from, to, moved } = move
  const links = await topicLinks(tx, to.topic)
  if (from.stream.id === to.stream.id) {
    const ids = moved.map((message) => message.id)
    await emit(tx, moveEvent(tx, move, ids, links), await readersOfAll(tx, moved))
    return
  }
  const ids = moved.map((message) => message.id)
  if (isBetweenPublicStreams(move)) {
    const { users = [] } = await readersOfAll(tx, moved)
    const audience = { stream: [from.stream.id, to.stream.id], users, except: affected }
    await emit(tx, moveEvent(tx, move, ids, links), audience)
  }
  const after = await visibleMessagesOf(tx, to.stream, [...before.keys()], ids)
  for (const { users, had, has } of groupReaders(before, after)) {
    const still = new Set(has)
    const kept = had.filter((id) => still.has(id))
    const lost = had.filter((id) => !still.has(id))
    if (kept.length > 0) await emit(tx, moveEvent(tx, move, kept, links), { users })
    if (lost.length === 0) continue
    await dropFlags(tx, users, lost)
    const place = { message_type: 'stream', stream_id: from.stream.id, topic: from.topic } as const
    await emit(tx, { type: 'delete_message', message_ids: lost, ...place }, { users })
  }
}

/** Removes personal flags of messages that a user no longer sees. */
async function dropFlags(tx: Tx, user_ids: readonly number[], message_ids: readonly number[]): Promise<void> {
  const { idsIn } = dialectOf(tx.chat)
  await tx.db
    .deleteFrom('message_flag')
    .where('message_id', 'in', idsIn(message_ids))
    .where('user_id', 'in', idsIn(user_ids))
    .execute()
}

interface ReaderGroup {
  users: number[]
  had: readonly number[]
  has: readonly number[]
}

const nothing: readonly number[] = []

/** Groups users by what they could and can see: thousands of users, but only a few groups. */
function groupReaders(before: VisibleMessages, after: VisibleMessages): Iterable<ReaderGroup> {
  const kinds = new Map<readonly number[], Map<readonly number[], ReaderGroup>>()
  for (const [user_id, had] of before) {
    const has = after.get(user_id) ?? nothing
    const kind = kinds.get(had) ?? new Map<readonly number[], ReaderGroup>()
    kinds.set(had, kind)
    const group = kind.get(has) ?? { users: [], had, has }
    kind.set(has, group)
    group.users.push(user_id)
  }
  return [...kinds.values()].flatMap((kind) => [...kind.values()])
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
