import type { Chat } from '../../kernel/chat.ts'
import type { Caller } from '../../kernel/context.ts'
import { emit, writeTransient } from '../log/emit.ts'

interface Heartbeats {
  last: number
  emitting?: Promise<number> | undefined
}

const heartbeats = new WeakMap<Chat, Heartbeats>()

/**
 * Position of a heartbeat after the given one. Heartbeats take ids like all events, so that ids ascend; readers
 * whose wait has timed out share one, so that two thousand idle readers cost one write.
 */
export async function heartbeatAfter(caller: Caller, position: number): Promise<number> {
  const known = heartbeats.get(caller.chat) ?? { last: 0 }
  heartbeats.set(caller.chat, known)
  if (known.last > position) return known.last
  known.emitting ??= writeTransient(caller, (tx) => emit(tx, { type: 'heartbeat' }, { users: [] }))
    .then((id) => {
      known.last = id
      return id
    })
    .finally(() => {
      known.emitting = undefined
    })
  return known.emitting
}

export const heartbeatText = (id: number): string => `{"type":"heartbeat","id":${id}}`
