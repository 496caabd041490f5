import type { Chat } from '../../kernel/chat.ts'
import { defineService } from '../../kernel/service.ts'
import { gossipOf } from '../log/peer-gossip.ts'
import { type Queue, queuesInUse } from '../log/queues.ts'

/** How often the other processes are informed, in milliseconds. */
const SAY_EVERY_MS = 50
const SUBJECT = 'polls'

/** The newest poll of a queue wins, whichever process it arrived at. */
export interface NewestPolls {
  /** Announces that a poll of this queue starts to wait here. A poll waiting elsewhere is answered. */
  waitsHere(queue: Queue): void
}

export const newestPollsOf = defineService<NewestPolls>('newest polls')

/** A client that stays with one process costs no message, and neither does a poll that is answered immediately. */
export function openNewestPolls(chat: Chat): NewestPolls {
  const gossip = gossipOf(chat)
  if (!gossip) return { waitsHere() {} }
  let unsaid: Queue[] = []
  gossip.on(SUBJECT, (queue_ids) => {
    for (const id of queue_ids) {
      const queue = queuesInUse(chat).get(id as string)
      if (!queue) continue
      queue.isHere = false
      queue.poll?.end()
    }
  })
  function say(): void {
    const gathered = unsaid
    unsaid = []
    for (const queue of gathered) if (!queue.poll) queue.isHere = false
    const ids = gathered.filter((queue) => queue.isHere).map(({ id }) => id)
    gossip?.say(SUBJECT, ids)
  }
  return {
    waitsHere(queue) {
      if (queue.isHere) return
      queue.isHere = true
      if (unsaid.push(queue) === 1) gossip.after(SAY_EVERY_MS, say)
    },
  }
}
