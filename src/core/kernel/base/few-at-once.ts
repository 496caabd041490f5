/**
 * Tasks of a kind that run at a time. After a restart, hundreds of clients register together. Each state is made in
 * short parts, but many of them would run without a turn for others, and be in memory together.
 */
const AT_ONCE = 2

interface Line {
  running: number
  waiting: (() => void)[]
}

const lines = new WeakMap<object, Line>()

/**
 * Runs the work as one of a few at a time, in the order of the calls. Tasks with the same `queue` wait for each other.
 * Don't await it in a write.
 */
export async function oneOfFew<T>(queue: object, work: () => Promise<T>): Promise<T> {
  const line = lines.get(queue) ?? { running: 0, waiting: [] }
  lines.set(queue, line)
  // A waiting task has taken the place of the one that ended.
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
