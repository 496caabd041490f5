import type { ClientState } from './client-state.ts'

/** Where an unread message is counted: a topic, or the other users of a direct conversation. */
export type UnreadPlace = { stream_id: number; topic: string } | { user_ids: readonly number[] }

interface Thread {
  unread_message_ids: number[]
  stream_id?: number
  topic?: string
  other_user_id?: number
  sender_id?: number
  user_ids_string?: string
}

type Kind = 'streams' | 'pms' | 'huddles'
const kinds: readonly Kind[] = ['streams', 'pms', 'huddles']

/** Types the threads of all kinds alike. */
const threadsOf = (state: ClientState, kind: Kind): Thread[] => state.unread_msgs[kind]

export function putUnread(state: ClientState, place: UnreadPlace, id: number, mentioned: boolean): void {
  const { kind, thread } = threadFor(state, place)
  const list = threadsOf(state, kind)
  const known = list.find((one) => same(one, thread))
  if (known) putInOrder(known.unread_message_ids, id)
  else list.push({ ...thread, unread_message_ids: [id] })
  if (mentioned && !state.unread_msgs.mentions.includes(id)) state.unread_msgs.mentions.push(id)
  recount(state)
}

/** Nearly always, the id is the newest. */
function putInOrder(ids: number[], id: number): void {
  const after = ids.findLastIndex((one) => one <= id)
  if (ids[after] !== id) ids.splice(after + 1, 0, id)
}

export function removeUnread(state: ClientState, ids: readonly number[]): void {
  const gone = new Set(ids)
  const unread = state.unread_msgs
  for (const kind of kinds) {
    for (const thread of unread[kind]) {
      thread.unread_message_ids = thread.unread_message_ids.filter((id) => !gone.has(id))
    }
    Object.assign(unread, { [kind]: threadsOf(state, kind).filter((thread) => thread.unread_message_ids.length > 0) })
  }
  unread.mentions = unread.mentions.filter((id) => !gone.has(id))
  recount(state)
}

export function findUnread(state: ClientState, id: number): Thread | undefined {
  for (const kind of kinds) {
    const found = threadsOf(state, kind).find((thread) => thread.unread_message_ids.includes(id))
    if (found) return found
  }
  return undefined
}

export function recount({ unread_msgs: unread }: ClientState): void {
  unread.mentions.sort((a, b) => a - b)
  unread.count = kinds
    .flatMap((kind): readonly Thread[] => unread[kind])
    .reduce((sum, thread) => sum + thread.unread_message_ids.length, 0)
}

function threadFor(state: ClientState, place: UnreadPlace): { kind: Kind; thread: Omit<Thread, 'unread_message_ids'> } {
  if ('stream_id' in place) return { kind: 'streams', thread: { stream_id: place.stream_id, topic: place.topic } }
  const { user_ids } = place
  if (user_ids.length > 1) {
    const everybody = [...user_ids, state.user_id].sort((a, b) => a - b)
    return { kind: 'huddles', thread: { user_ids_string: everybody.join() } }
  }
  const other_user_id = user_ids[0] ?? state.user_id
  return { kind: 'pms', thread: { other_user_id, sender_id: other_user_id } }
}

const same = (a: Thread, b: Omit<Thread, 'unread_message_ids'>): boolean =>
  a.stream_id === b.stream_id &&
  a.topic?.toLowerCase() === b.topic?.toLowerCase() &&
  a.other_user_id === b.other_user_id &&
  a.user_ids_string === b.user_ids_string
