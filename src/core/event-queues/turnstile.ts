import type { Chat } from '../chat.ts'

/** Polls that begin within one turn of the event loop. After a restart thousands of clients come at once. */
const PER_TURN = 20

interface Turnstile {
  passed: number
  waiting: (() => void)[]
}

const turnstiles = new WeakMap<Chat, Turnstile>()

/** Lets a few polls through at once and the others in their turn, so that other requests are served between them. */
export function pass(chat: Chat): Promise<void> | undefined {
  const turnstile = turnstiles.get(chat) ?? { passed: 0, waiting: [] }
  turnstiles.set(chat, turnstile)
  if (turnstile.passed < PER_TURN) {
    if (turnstile.passed++ === 0) setImmediate(() => next(turnstile))
    return undefined
  }
  return new Promise((resolve) => turnstile.waiting.push(resolve))
}

function next(turnstile: Turnstile): void {
  const some = turnstile.waiting.splice(0, PER_TURN)
  turnstile.passed = some.length
  if (some.length === 0) return
  for (const resume of some) resume()
  setImmediate(() => next(turnstile))
}
