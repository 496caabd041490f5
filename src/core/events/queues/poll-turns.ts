import type { Chat } from '../../kernel/chat.ts'

/** Polls that begin within one turn of the event loop. After a restart thousands of clients come at once. */
const PER_TURN = 20

interface Turns {
  passed: number
  waiting: (() => void)[]
}

const turnsOf = new WeakMap<Chat, Turns>()

/** Lets a few polls through at once and the others in their turn, so that other requests are served between them. */
export function waitForTurn(chat: Chat): Promise<void> | undefined {
  const turns = turnsOf.get(chat) ?? { passed: 0, waiting: [] }
  turnsOf.set(chat, turns)
  if (turns.passed < PER_TURN) {
    if (turns.passed++ === 0) setImmediate(() => next(turns))
    return undefined
  }
  return new Promise((resolve) => turns.waiting.push(resolve))
}

function next(turns: Turns): void {
  const some = turns.waiting.splice(0, PER_TURN)
  turns.passed = some.length
  if (some.length === 0) return
  for (const resume of some) resume()
  setImmediate(() => next(turns))
}
