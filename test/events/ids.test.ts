import assert from 'node:assert/strict'
import { copyFileSync, existsSync } from 'node:fs'
import { join } from 'node:path'
import { test } from 'node:test'
import { actAs, createOrganization, getEvents, openChat, register, setTyping } from '../../src/index.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

const idsAfter = async (
  person: Awaited<ReturnType<typeof actAs>>,
  queue: { queue_id: string; last_event_id: number },
) => (await getEvents(person, { ...queue, dont_block: true })).events.map((event) => event.id)

test('never reuses the id of an event that a crash prevented from being stored', async () => {
  using folder = new TemporaryFolder()
  const db = join(folder.path, 'chat.db')
  await using chat = await openChat({ db, passwordCost: 4 })
  const { user_id } = await createOrganization(chat, {
    org: 'Elsinore',
    owner_email: 'iago@example.com',
    owner_name: 'iago',
  })
  const iago = await actAs(chat, { user_id })
  const queue = await register(iago, { event_types: ['typing'] })
  await setTyping(iago, { op: 'start', to: [user_id] })
  await setTyping(iago, { op: 'stop', to: [user_id] })
  const seen = await idsAfter(iago, queue)
  assert.equal(seen.length, 2, 'typing is sent, and not stored')

  // The files as a crash leaves them: nothing was closed.
  for (const end of ['', '-wal', '.secret']) {
    if (existsSync(db + end)) copyFileSync(db + end, join(folder.path, `crashed.db${end}`))
  }
  await using again = await openChat({ db: join(folder.path, 'crashed.db'), passwordCost: 4 })
  const later = await actAs(again, { user_id })
  const next = await register(later, { event_types: ['typing'] })
  assert.ok(next.last_event_id >= Math.max(...seen))
  await setTyping(later, { op: 'start', to: [user_id] })
  const [id] = await idsAfter(later, next)
  assert.ok(id! > Math.max(...seen), `${id} comes after ${seen}`)
})
