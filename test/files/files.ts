import assert from 'node:assert/strict'
import { sweep } from '../../src/core/events/queues/sweep.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { createApp } from '../../src/http/app.ts'
import type { Person, World } from '../../src/testing/index.ts'

/** Lets time pass, and what is due be removed. */
export async function sweepNow(w: World, seconds: number): Promise<void> {
  w.clock.advance(seconds * 1000)
  await sweep(w.chat)
}

export type Bytes = Uint8Array<ArrayBuffer>

export const bytesOf = (text: string): Bytes => Uint8Array.from(Buffer.from(text))

/** Returns bytes without repetition. */
export function noise(size: number): Bytes {
  const bytes = new Uint8Array(size)
  for (let i = 0, x = 1; i < size; i++) {
    x = (x * 1103515245 + 12345) & 0x7fffffff
    bytes[i] = x >> 16
  }
  return bytes
}

const basic = ({ email, key }: Person) => `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`

/** Asks for an address outside the API, as somebody or as a stranger. */
export function fetchAs(w: World, who: Person | undefined, path: string, init: RequestInit = {}): Promise<Response> {
  const headers = { ...(who && { authorization: basic(who) }), ...init.headers }
  return createApp({ chat: w.chat, rateLimit: false }).fetch(
    new Request(`http://localhost${path}`, { ...init, headers }),
  )
}

/** Uploads, and returns the file's address. */
export async function upload(who: Person, bytes: Bytes = bytesOf('to be or not to be'), name = 'play.txt') {
  const { status, msg, url } = await who.api.upload('/user_uploads', bytes, name)
  assert.equal(status, 200, msg)
  return url as string
}

export const statusFor = async (w: World, who: Person | undefined, path: string): Promise<number> => {
  const response = await fetchAs(w, who, path)
  await response.arrayBuffer()
  return response.status
}

/** How much of uploads is in the database. */
export async function stored({ chat }: World) {
  const count = async (table: 'file' | 'upload' | 'blob' | 'blob_chunk' | 'dropped_blob') => {
    const row = await storeOf(chat)
      .db.selectFrom(table)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    return row.count
  }
  const tables = ['file', 'upload', 'blob', 'blob_chunk', 'dropped_blob'] as const
  return Object.fromEntries(await Promise.all(tables.map(async (table) => [table, await count(table)])))
}
