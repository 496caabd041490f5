import assert from 'node:assert/strict'
import test from 'node:test'
import { contextOf } from '../../src/core/kernel/context.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { organizationSettingsCache } from '../../src/core/settings/organization.ts'
import { type Person, world } from '../../src/testing/world.ts'

async function readBy(who: Person, asked: number): Promise<number[]> {
  const { status, user_ids } = await who.api.get(`/messages/${asked}/read_receipts`)
  assert.equal(status, 200)
  return user_ids
}
const read = (who: Person, ...messages: number[]) =>
  who.api.post('/messages/flags', { messages, op: 'add', flag: 'read' })

test('read receipts list readers without the sender', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const { id } = await iago.says('hello')
  assert.deepEqual(await readBy(iago, id), [])
  await read(hamlet, id)
  assert.deepEqual(await readBy(iago, id), [hamlet.id])
  await read(cordelia, id)
  assert.deepEqual(await readBy(cordelia, id), [hamlet.id, cordelia.id])
  const dm = await iago.says('hello', { people: [hamlet] })
  assert.deepEqual(await readBy(iago, dm.id), [])
  await read(hamlet, dm.id)
  assert.deepEqual(await readBy(iago, dm.id), [hamlet.id])
})

test('read receipts omit users who opted out, are muted or muted the caller', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const { id } = await iago.says('hello')
  await read(hamlet, id)
  await read(cordelia, id)
  assert.deepEqual(await readBy(iago, id), [hamlet.id, cordelia.id])
  await storeOf(w.chat).write(({ db }) =>
    db
      .insertInto('user_setting')
      .values({ user_id: hamlet.id, name: 'send_read_receipts', value: 'false', edited: 1 })
      .execute(),
  )
  assert.deepEqual(await readBy(iago, id), [cordelia.id])
  await storeOf(w.chat).write(({ db }) =>
    db.insertInto('muted_user').values({ user_id: iago.id, muted_user_id: cordelia.id, muted_at: 0 }).execute(),
  )
  assert.deepEqual(await readBy(iago, id), [])
  assert.deepEqual(await readBy(cordelia, id), [cordelia.id])
  await storeOf(w.chat).write(({ db }) =>
    db.updateTable('muted_user').set({ user_id: cordelia.id, muted_user_id: iago.id }).execute(),
  )
  assert.deepEqual(await readBy(iago, id), [])
})

test('read receipts can be disabled and are rejected for inaccessible messages', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const { id } = await iago.says('for hamlet', { people: [hamlet] })
  const refused = await cordelia.api.get(`/messages/${id}/read_receipts`)
  assert.deepEqual([refused.status, refused.msg], [400, 'Invalid message(s)'])
  await contextOf(w.chat).write(async (tx) => {
    await tx.db.insertInto('organization_setting').values({ name: 'enable_read_receipts', value: 'false' }).execute()
    organizationSettingsCache.invalidate(tx)
  })
  const off = await iago.api.get(`/messages/${id}/read_receipts`)
  assert.deepEqual(
    [off.status, off.code, off.msg],
    [400, 'BAD_REQUEST', 'Read receipts are disabled in this organization.'],
  )
})
