import assert from 'node:assert/strict'
import test from 'node:test'
import { copiesSince, MAX_COPIES } from '../../src/core/accounts/copies.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { type World, world } from '../../src/testing/index.ts'

/** Backups of these names, one a second. */
const recordBackups = ({ chat }: World, files: readonly string[]): Promise<void> =>
  storeOf(chat).write(async ({ db }) => {
    for (const [i, file] of files.entries()) {
      const row = {
        ...{ at: 1000 + i, count: 1, client: 'test', address: null, actor_id: null, on_behalf_of: null, key_id: null },
        ...({ action: 'backup', subject_kind: 'organization', subject_id: null, before: null, outcome: 'ok' } as const),
      }
      await db
        .insertInto('audit')
        .values({ ...row, after: JSON.stringify({ file }) })
        .execute()
    }
  })

test('lists the newest files that the server wrote, and each of them once', async () => {
  await using w = await world()
  const hourly = Array.from({ length: MAX_COPIES + 50 }, (_, i) => `/backups/${i}.db`)
  await recordBackups(w, [...hourly, '/backups/1049.db', '/backups/daily.db', '/backups/daily.db'])
  const copies = await copiesSince(contextOf(w.chat), 0)
  assert.equal(copies.length, MAX_COPIES)
  assert.deepEqual(
    copies.slice(-2).map(({ file, written_at }) => [file, written_at]),
    [
      ['/backups/1049.db', 1000 + hourly.length],
      ['/backups/daily.db', 1000 + hourly.length + 2],
    ],
  )
  assert.equal(new Set(copies.map(({ file }) => file)).size, MAX_COPIES)
})
