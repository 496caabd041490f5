import { createReadStream } from 'node:fs'
import { open, rm } from 'node:fs/promises'
import { join } from 'node:path'
import { createInterface } from 'node:readline'

/** This many are sorted in memory. Further ones are sorted into files, which are then merged. */
const RUN = 20_000

interface Dated {
  record: { date: number }
}

/** Sorts any number of things by date in little memory. Things with the same date keep their order. */
export function createSorter<T extends Dated>(folder: string) {
  const files: string[] = []
  let run: T[] = []
  const inOrder = () => run.sort((a, b) => a.record.date - b.record.date)

  async function flush(): Promise<void> {
    const path = join(folder, `run-${files.length}.jsonl`)
    const file = await open(path, 'wx', 0o600)
    try {
      let text = ''
      for (const thing of inOrder()) {
        text += `${JSON.stringify(thing)}\n`
        if (text.length > 1_000_000) {
          await file.write(text)
          text = ''
        }
      }
      await file.write(text)
    } finally {
      await file.close()
    }
    files.push(path)
    run = []
  }

  return {
    async add(thing: T): Promise<void> {
      run.push(thing)
      if (run.length >= RUN) await flush()
    },
    async *sorted(): AsyncGenerator<T> {
      if (files.length === 0) {
        yield* inOrder()
        return
      }
      if (run.length > 0) await flush()
      yield* merged<T>(files)
      for (const file of files) await rm(file)
    },
  }
}

async function* merged<T extends Dated>(files: readonly string[]): AsyncGenerator<T> {
  const heads: { thing: T; lines: AsyncIterator<string>; nth: number }[] = []
  const isBefore = (a: (typeof heads)[number], b: (typeof heads)[number]): boolean =>
    a.thing.record.date < b.thing.record.date || (a.thing.record.date === b.thing.record.date && a.nth < b.nth)
  for (const [nth, path] of files.entries()) {
    const lines = createInterface({ input: createReadStream(path, { highWaterMark: 64 * 1024 }) })[
      Symbol.asyncIterator
    ]()
    const { value, done } = await lines.next()
    if (!done) heads.push({ thing: JSON.parse(value), lines, nth })
  }
  heads.sort((a, b) => (isBefore(a, b) ? -1 : 1))
  while (heads.length > 0) {
    const head = heads.shift()!
    yield head.thing
    const { value, done } = await head.lines.next()
    if (done) continue
    head.thing = JSON.parse(value)
    let at = 0
    let end = heads.length
    while (at < end) {
      const middle = (at + end) >> 1
      if (isBefore(heads[middle]!, head)) at = middle + 1
      else end = middle
    }
    heads.splice(at, 0, head)
  }
}
