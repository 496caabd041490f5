import type { Chat } from '../../kernel/chat.ts'
import { defineService } from '../../kernel/service.ts'
import { storeOf } from '../../kernel/store.ts'

/** Characters of a list in one message; each takes at most three of the 7,000 bytes there are. */
const MAX_LIST = 2300

/** Messages between the nodes that share a database, which may be lost; none of them is about a commit. */
export interface PeerGossip {
  /** Sends a list of something to all others, in as many messages as it needs. */
  say(subject: string, list: readonly unknown[]): void
  /** Calls back with what others say about a subject; one listener for each. */
  on(subject: string, listener: (list: readonly unknown[]) => void): void
  /** Calls back once after this many milliseconds of the chat's clock. */
  after(ms: number, callback: () => void): void
}

export const gossipOf = defineService<PeerGossip | undefined>('gossip')

export function openGossip(chat: Chat): PeerGossip | undefined {
  const { peers } = storeOf(chat)
  if (!peers) return undefined
  const listeners = new Map<string, (list: readonly unknown[]) => void>()
  peers.onBroadcast((text) => {
    const [subject, list] = JSON.parse(text)
    listeners.get(subject)?.(list)
  })
  return {
    say(subject, list) {
      let batch: unknown[] = []
      let size = 0
      const send = () => batch.length > 0 && peers.broadcast(JSON.stringify([subject, batch]))
      for (const each of list) {
        const { length } = JSON.stringify(each)
        if (size + length > MAX_LIST) {
          send()
          batch = []
          size = 0
        }
        batch.push(each)
        size += length
      }
      send()
    },
    on: (subject, listener) => void listeners.set(subject, listener),
    after: (ms, callback) => void chat.clock.after(ms, callback),
  }
}
