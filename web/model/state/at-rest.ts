import { type ReadonlySignal, signal } from '@preact/signals'
import type { Session } from './session.ts'

/** Without messages to wait for, the page counts as drawn this long after the connection stands. */
const PATIENCE_MS = 700

/** By then the frame is drawn that has the messages. */
const FRAMES_MS = 100

const rest = signal(false)

/**
 * Whether the first view is drawn, with the newest messages. What nobody waits for comes after it: all people, pictures, the
 * ends of long lists.
 */
export const isAtRest: ReadonlySignal<boolean> = rest

/** Waits for the first messages, or for a while, and fetches what can come after. */
export function restSoon({ live, messages }: Session): void {
  const begin = () => {
    clearTimeout(timer)
    end()
    setTimeout(() => {
      rest.value = true
      live.fetchPeople()
    }, FRAMES_MS)
  }
  const timer = setTimeout(begin, PATIENCE_MS)
  const end = messages.onChange(begin)
}
