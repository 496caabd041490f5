import type { Caller } from '../../kernel/context.ts'
import { busOf } from '../log/bus.ts'
import type { LogEntry } from '../log/log.ts'
import { type Poll, type Queue, readsAllPublicStreams } from '../log/queues.ts'
import type { Waiter } from '../log/waiters.ts'
import { mayWant } from './compat.ts'
import { periodsOf, type Reader } from './read-events.ts'

/** A poll in progress; `wake` is set while it waits. */
export interface PollHandle extends Poll {
  ended: boolean
  wake?: (() => void) | undefined
}

export function newPollHandle({ key_id }: Pick<Caller, 'key_id'>): PollHandle {
  const turn: PollHandle = {
    key_id,
    ended: false,
    end() {
      turn.ended = true
      turn.wake?.()
    },
  }
  return turn
}

/**
 * Waits until something may have happened for this reader, the deadline, or the end of the turn. Moves the reader's
 * position to just before it.
 */
export async function waitForEvents(
  caller: Caller,
  turn: PollHandle,
  queue: Queue,
  reader: Reader,
  deadline: number,
): Promise<void> {
  const { clock } = caller.chat
  const bus = busOf(caller.chat)
  const { signal } = caller
  const periods = await periodsOf(caller)
  // Something may have been published since the log was read. No other code can run between this check and the wait.
  if (bus.head() > reader.cursor || bus.closed || turn.ended || signal?.aborted) return
  await new Promise<void>((resolve) => {
    const wake = () => {
      if (woken) return
      woken = true
      // Everything published up to there is for others, so it needn't be read.
      reader.cursor = Math.max(reader.cursor, leave())
      cancel()
      signal?.removeEventListener('abort', wake)
      turn.wake = undefined
      resolve()
    }
    let woken = false
    const { user, mayPass = () => true } = reader
    const waiter: Waiter = {
      user,
      periods,
      receivesAllPublic: readsAllPublicStreams(queue.options, user),
      wants: (entry) => (mayWant(queue.options, entry.type) && mayPass(entry, user)) || changesReader(entry, user.id),
      due: undefined,
      wake,
    }
    const leave = bus.wait(waiter)
    const cancel = clock.after(Math.max(0, deadline - clock.now()), () => bus.wakeSoon(waiter))
    turn.wake = wake
    signal?.addEventListener('abort', wake, { once: true })
  })
}

/** Whether an event changes which later events this user gets: a change of their role or of their subscriptions. */
function changesReader({ payload, audience }: LogEntry, user_id: number): boolean {
  if (payload.type === 'subscription') return audience.users?.includes(user_id) === true
  if (payload.type !== 'realm_user' || payload.op !== 'update') return false
  return payload.person.user_id === user_id && 'role' in payload.person
}
