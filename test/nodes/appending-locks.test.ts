import assert from 'node:assert/strict'
import test from 'node:test'
import { sql } from 'kysely'
import { storeOf } from '../../src/core/kernel/store.ts'
import type { PeerLock } from '../../src/storage/index.ts'
import { appendTogether, say } from './appending.ts'
import { cluster, needsServer } from './nodes.ts'
import { isRefused } from './refused.ts'

const locks: Readonly<Record<PeerLock, true>> = { export: true, 'directory sync': true, import: true }

for (const name of Object.keys(locks) as PeerLock[]) {
  test(`nodes append while one of them holds the lock of the ${name}`, needsServer, async (t) => {
    await using c = await cluster(2)
    const appending = await appendTogether(t, c)
    const unlock = await storeOf(c.nodes[0]!).peers!.tryLock(name)
    const before = appending.count
    await say(await c.at(1, 'hamlet'), 'On another node.')
    await say(await c.at(0, 'hamlet'), 'On the same node.')
    assert.ok(appending.count > before)
    await unlock!()
  })
}

test('a node that fails to reserve IDs leaves no lock to the others', needsServer, async (t) => {
  await using c = await cluster(2)
  await appendTogether(t, c)
  const { db, write } = storeOf(c.w.chat)
  const [here, there] = [await c.at(0, 'hamlet'), await c.at(1, 'hamlet')]
  const { rows } = await sql<{ newest: number }>`select pg_sequence_last_value('event_id_seq') as newest`.execute(db)
  await write((tx) => sql.raw(`alter sequence event_id_seq maxvalue ${rows[0]!.newest}`).execute(tx.db))
  await isRefused(say(here, 'No ID is left.'))
  await write((tx) => sql.raw('alter sequence event_id_seq no maxvalue').execute(tx.db))
  const first = await say(there, 'There are IDs again.')
  assert.ok((await say(here, 'Here, too.')) > first)
})
