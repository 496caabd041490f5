import { open } from 'node:fs/promises'
import type { Rows } from './tables/source.ts'

/** Characters collected before a write, which also gives others a turn. */
const BUFFER = 64 * 1024

type Put = (text: string) => Promise<void>

/**
 * Writes an object of lists row by row, so that it is never in memory as a whole.
 *
 * @returns the number of rows in each list
 */
export async function writeTables(
  path: string,
  tables: Iterable<readonly [name: string, rows: () => Rows | Promise<Rows>]>,
  { more = {}, signal }: { more?: Readonly<Record<string, string>>; signal?: AbortSignal | undefined } = {},
): Promise<Record<string, number>> {
  const counts: Record<string, number> = {}
  const members = Object.entries(more).map(([name, value]) => `${JSON.stringify(name)}:${JSON.stringify(value)}`)
  await writeFile(path, signal, async (put) => {
    await put(`{${members.join()}`)
    let comma = members.length > 0
    for (const [name, rows] of tables) {
      await put(`${comma ? ',\n' : ''}${JSON.stringify(name)}:`)
      comma = true
      counts[name] = await putList(put, await rows())
    }
    await put('}\n')
  })
  return counts
}

/** The same for one list. */
export async function writeList(path: string, rows: Rows, signal?: AbortSignal | undefined): Promise<number> {
  let count = 0
  await writeFile(path, signal, async (put) => {
    count = await putList(put, rows)
  })
  return count
}

async function putList(put: Put, rows: Rows): Promise<number> {
  let count = 0
  await put('[')
  for await (const page of rows) {
    for (const row of page) await put(`${count++ === 0 ? '' : ',\n'}${JSON.stringify(row)}`)
  }
  await put(']')
  return count
}

async function writeFile(
  path: string,
  signal: AbortSignal | undefined,
  write: (put: Put) => Promise<void>,
): Promise<void> {
  const file = await open(path, 'wx', 0o600)
  let text = ''
  const flush = async () => {
    signal?.throwIfAborted()
    const bytes = text
    text = ''
    await file.write(bytes)
  }
  try {
    await write(async (more) => {
      text += more
      if (text.length >= BUFFER) await flush()
    })
    await flush()
  } finally {
    await file.close()
  }
}
