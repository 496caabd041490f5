/**
 * Tasks of a kind that run at a time. After a restart hundreds of clients register at once: each state is made in short parts,
 * but those of all of them would follow each other without a turn for anybody else, and be in memory together.
 */
const AT_ONCE = 2

interface Line {
  running: number
  waiting: (() => void)[]
}

const lines = new WeakMap<object, Line>()

/**
 * Runs the work as one of a few at a time, in the order in which they were requested. Tasks with the same `queue` wait for each
 * other. Not to be awaited in a write.
 */
export async function oneOfFew<T>(queue: object, work: () => Promise<T>): Promise<T> {
  const line = lines.get(queue) ?? { running: 0, waiting: [] }
  lines.set(queue, line)
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
