import type { Chat } from '../chat.ts'
import { defineService } from '../service.ts'
import { storeOf } from '../store.ts'

/** Messages between the nodes that share a database, which may be lost; none of them is about a commit. */
export interface PeerGossip {
  /** Sends something to all others. */
  say(subject: string, content: unknown): void
  /** Calls back with what others say about a subject; one listener for each. */
  on(subject: string, listener: (content: unknown) => void): void
  /** Calls back once after this many milliseconds of the chat's clock. */
  after(ms: number, callback: () => void): void
}

export const gossipOf = defineService<PeerGossip | undefined>('gossip')

export function openGossip(chat: Chat): PeerGossip | undefined {
  const { peers } = storeOf(chat)
  if (!peers) return undefined
  const listeners = new Map<string, (content: unknown) => void>()
  peers.onBroadcast((text) => {
    const [subject, content] = JSON.parse(text)
    listeners.get(subject)?.(content)
  })
  return {
    say: (subject, content) => peers.broadcast(JSON.stringify([subject, content])),
    on: (subject, listener) => void listeners.set(subject, listener),
    after: (ms, callback) => void chat.clock.after(ms, callback),
  }
}
