import { useRef } from 'preact/hooks'
import type { Message } from '../../../src/client/index.ts'
import type { Session } from '../../model/state/session.ts'

/** Sends a step in a poll or a list of tasks: a vote, another answer, a task that is done. */
export const sayIn =
  ({ client }: Session, { id: message_id }: Message) =>
  (step: object) =>
    client.addSubmessage({ message_id, msg_type: 'widget', content: JSON.stringify(step) })

/** Returns the number of the next entry that the reader adds. `count` entries exist, and pending ones count too. */
export function useNumber(count: number): () => number {
  const last = useRef(0)
  return () => {
    last.current = Math.max(last.current, count) + 1
    return last.current
  }
}
