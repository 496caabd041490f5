import type { Chat } from '../../kernel/chat.ts'
import { defineService } from '../../kernel/service.ts'
import { gossipOf } from '../log/peer-gossip.ts'
import { type Queue, queuesInUse } from '../log/queues.ts'

/** The others are informed so often. */
const SAY_EVERY_MS = 50
const SUBJECT = 'polls'

/** Of the polls of one queue the newest wins, at whichever of the processes that share the database it arrived. */
export interface NewestPolls {
  /** A poll of this queue begins to wait here: one that waits elsewhere is answered. */
  waitsHere(queue: Queue): void
}

export const newestPollsOf = defineService<NewestPolls>('newest polls')

/** A client that stays with one process costs no message, and a poll that is answered at once costs none either. */
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
