import type { Chat } from '../chat.ts'
import type { Caller } from '../context.ts'
import { emit } from '../event-log/emit.ts'

interface Heartbeats {
  last: number
  writing?: Promise<number> | undefined
}

const heartbeats = new WeakMap<Chat, Heartbeats>()

/**
 * Position of a heartbeat after this one. Heartbeats are rows of the log, so their ids grow like all others; whoever
 * has waited too long shares one, so that two thousand silent readers cost one write.
 */
export async function heartbeatAfter(caller: Caller, position: number): Promise<number> {
  const known = heartbeats.get(caller.chat) ?? { last: 0 }
  heartbeats.set(caller.chat, known)
  if (known.last > position) return known.last
  known.writing ??= caller
    .write((tx) => emit(tx, { type: 'heartbeat' }, { users: [] }))
    .then((id) => {
      known.last = id
      return id
    })
    .finally(() => {
      known.writing = undefined
    })
  return known.writing
}

export const heartbeatText = (id: number): string => `{"type":"heartbeat","id":${id}}`
