import assert from 'node:assert/strict'
import test from 'node:test'
import { sql } from 'kysely'
import { storeOf } from '../../src/core/kernel/store.ts'
import { setTyping } from '../../src/index.ts'
import { cluster, needsServer } from './nodes.ts'

test('skips reserved event ids after a reconnect, even if the first write fails', needsServer, async () => {
  await using c = await cluster(1)
  const [hamlet, cordelia] = [await c.at(0, 'hamlet'), await c.at(0, 'cordelia')]
  const { db, write } = storeOf(c.w.chat)
  const left = async () => {
    const { reserved_up_to, transient_up_to } = await db
      .selectFrom('event_log_state')
      .selectAll()
      .executeTakeFirstOrThrow()
    return reserved_up_to - transient_up_to
  }
  await setTyping(hamlet, { type: 'direct', op: 'start', to: [cordelia.user.id] })
  assert.ok((await left()) > 0)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity
    where datname = current_database() and application_name = 'chat-server' and pid <> pg_backend_pid()`.execute(db)
  const refused = write(async () => {
    throw new Error('refused')
  })
  await assert.rejects(refused, /refused/)
  await write(async () => {})
  assert.equal(await left(), 0)
})
