import { open } from 'node:fs/promises'
import type { Room } from './room.ts'
import type { Rows } from './tables/source.ts'
import { textBytes } from './tables/text-bytes.ts'

/** Bytes collected before a write, which also gives others a turn. */
const BUFFER = 64 * 1024

interface JsonFileOptions {
  signal?: AbortSignal | undefined
  room: Room
}

/** A JSON file that is written row by row, so that it is never in memory as a whole. */
interface JsonFile {
  put(text: string): Promise<void>
  putList(rows: Rows): Promise<number>
}

/** An object of lists. */
export interface TableFile {
  /** Returns the number of rows. */
  add(name: string, rows: Rows): Promise<number>
}

/**
 * Writes an object of lists into a new file.
 *
 * @returns the number of rows in each list
 */
export async function writeTables(
  path: string,
  { more = {}, ...options }: JsonFileOptions & { more?: Readonly<Record<string, string>> },
  fill: (file: TableFile) => Promise<void>,
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const members = Object.entries(more).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  await writeFile(path, options, async ({ put, putList }) => {
    await put(`{${members.join()}`)
    let comma = members.length > 0
    await fill({
      async add(name, rows) {
        await put(`${comma ? ',\n' : ''}${JSON.stringify(name)}:`)
        comma = true
        const count = await putList(rows)
        counts[name] = count
        return count
      },
    })
    await put('}\n')
  })
  return counts
}

/** The same for one list. */
export async function writeList(path: string, rows: Rows, options: JsonFileOptions): Promise<number> {
  let count = 0
  await writeFile(path, options, async ({ putList }) => {
    count = await putList(rows)
  })
  return count
}

async function writeFile(
  path: string,
  { signal, room }: JsonFileOptions,
  write: (file: JsonFile) => Promise<void>,
): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  const text = textBytes()
  const flush = async () => {
    signal?.throwIfAborted()
    room(text.length)
    await file.writeFile(text.bytes())
    text.clear()
  }
  const put = async (more: string) => {
    text.put(more)
    if (text.length >= BUFFER) await flush()
  }
  async function putList(rows: Rows): Promise<number> {
    let count = 0
    await put('[')
    for await (const page of rows) {
      for (const row of page) {
        if (count++ > 0) text.put(',\n')
        text.put(JSON.stringify(row))
        if (text.length >= BUFFER) await flush()
      }
    }
    await put(']')
    return count
  }
  try {
    await write({ put, putList })
    await flush()
  } finally {
    await file.close()
  }
}
