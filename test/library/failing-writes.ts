import assert from 'node:assert/strict'
import { storeOf } from '../../src/core/kernel/store.ts'
import type { Store } from '../../src/storage/index.ts'
import type { World } from '../../src/testing/index.ts'

/**
 * Runs work while other writes fail after each of its writes, or after some, in the same group, so that SQLite undoes it
 * once.
 */
export async function besideFailures<T>(w: World, work: () => Promise<T>, isFollowed = () => true): Promise<T> {
  const store = storeOf(w.chat) as { -readonly [K in keyof Store]: Store[K] }
  const { write } = store
  const failing: Promise<void>[] = []
  store.write = (own, options) => {
    const written = write(own, options)
    if (!isFollowed()) return written
    const fails = write(async ({ db }) => {
      await db.insertInto('blob').values({ size: 0, content_type: 'text/plain', created_at: 0 }).execute()
      throw new Error('undone')
    })
    failing.push(assert.rejects(fails, /undone/))
    return written
  }
  try {
    return await work()
  } finally {
    store.write = write
    await Promise.all(failing)
    assert.ok(failing.length > 0)
  }
}
