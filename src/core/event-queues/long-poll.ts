import type { Caller } from '../context.ts'
import { busOf } from '../event-log/bus.ts'
import type { Poll } from '../event-log/queues.ts'
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

/** Sleeps until something may have happened for this reader, the deadline, or the end of the turn. */
export async function waitForEvents(
  caller: Caller,
  turn: PollHandle,
  { cursor, user }: Reader,
  receivesAllPublic: boolean,
  deadline: number,
): Promise<void> {
  const { clock } = caller.chat
  const bus = busOf(caller.chat)
  const { signal } = caller
  const periods = await periodsOf(caller)
  // Something may have been published since the log was read. From here on no other code can run in between.
  if (bus.head() > cursor || bus.closed || turn.ended || signal?.aborted) return
  await new Promise<void>((resolve) => {
    const wake = () => {
      leave()
      cancel()
      signal?.removeEventListener('abort', wake)
      turn.wake = undefined
      resolve()
    }
    const leave = bus.wait({ user, periods, receivesAllPublic, wake })
    const cancel = clock.after(Math.max(0, deadline - clock.now()), wake)
    turn.wake = wake
    signal?.addEventListener('abort', wake, { once: true })
  })
}
