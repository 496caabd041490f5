import type { Chat } from '../chat.ts'

/**
 * States that are made at a time. After a restart hundreds of clients register at once: each state is made in short parts,
 * but those of all of them would follow each other without a turn for anybody else, and be in memory together.
 */
const AT_ONCE = 2

interface Line {
  running: number
  waiting: (() => void)[]
}

const lines = new WeakMap<Chat, Line>()

/** Runs the work as one of a few at a time, in the order in which they were asked for. Not to be awaited in a write. */
export async function oneOfFew<T>(chat: Chat, work: () => Promise<T>): Promise<T> {
  const line = lines.get(chat) ?? { running: 0, waiting: [] }
  lines.set(chat, line)
  // Who waited has been given the place of the one that ended.
  if (line.running < AT_ONCE) line.running++
  else await new Promise<void>((resolve) => line.waiting.push(resolve))
  try {
    return await work()
  } finally {
    const next = line.waiting.shift()
    if (next) setImmediate(next)
    else line.running--
  }
}
