import type { Chat } from '../../kernel/chat.ts'
import { defineService } from '../../kernel/service.ts'
import { storeOf } from '../../kernel/store.ts'

/** Characters of a list in one message. Each takes at most three of the 7,000 available bytes. */
const MAX_LIST = 2300

/** Messages between the nodes that share a database. They may be lost, and none is about a commit. */
export interface PeerGossip {
  /** Sends a list to all other nodes, in as many messages as necessary. */
  say(subject: string, list: readonly unknown[]): void
  /** Calls back with what other nodes send about a subject. Each subject has one listener. */
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
