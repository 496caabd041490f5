import type { Tx } from '../caller.ts'
import { emit } from '../events/emit.ts'
import { readersOfAll } from './access.ts'
import type { Move } from './move.ts'
import { type Sight, sightOf } from './move-readers.ts'

/** Tells of a move: to those who see the messages before and after, that they moved; to the others that they are gone. */
export async function announceMove(tx: Tx, move: Move, before: Sight): Promise<void> {
  const { from, to, moved } = move
  if (from.stream.id === to.stream.id) {
    const ids = moved.map((message) => message.id)
    await emit(tx, moveEvent(tx, move, ids), await readersOfAll(tx, moved))
    return
  }
  const after = await sightOf(tx, to.stream, [...before.keys()], [...new Set([...before.values()].flat())])
  const kept = new Groups()
  const lost = new Groups()
  for (const [user_id, had] of before) {
    const has = new Set(after.get(user_id))
    kept.add(user_id, had.length === has.size ? had : had.filter((id) => has.has(id)))
    lost.add(user_id, had.length === has.size ? [] : had.filter((id) => !has.has(id)))
  }
  for (const { users, ids } of kept.all()) await emit(tx, moveEvent(tx, move, ids), { users })
  for (const { users, ids } of lost.all()) {
    const place = { message_type: 'stream', stream_id: from.stream.id, topic: from.topic }
    await emit(tx, { type: 'delete_message', message_ids: ids, ...place }, { users })
  }
}

/** Users by the messages that concern them: nearly always the same for all. */
class Groups {
  private readonly byIds = new Map<string, { users: number[]; ids: readonly number[] }>()
  add(user_id: number, ids: readonly number[]): void {
    if (ids.length === 0) return
    const key = ids.join()
    const group = this.byIds.get(key) ?? { users: [], ids }
    this.byIds.set(key, group)
    group.users.push(user_id)
  }
  all() {
    return this.byIds.values()
  }
}

function moveEvent(tx: Tx, { message, mode, from, to, at }: Move, message_ids: readonly number[]) {
  return {
    type: 'update_message',
    user_id: tx.user.id,
    edit_timestamp: at,
    message_id: message_ids.includes(message.id) ? message.id : message_ids[0]!,
    message_ids,
    rendering_only: false,
    flags: [],
    stream_id: from.stream.id,
    stream_name: from.stream.name,
    propagate_mode: mode,
    orig_subject: from.topic,
    ...(to.topic !== from.topic && { subject: to.topic, topic_links: [] }),
    ...(to.stream.id !== from.stream.id && { new_stream_id: to.stream.id }),
  }
}
