import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'

test("a muted user's messages are marked as read only for the user who muted them", async () => {
  await using w = await world()
  const { hamlet, cordelia, iago } = w.people
  await iago.says('before', { topic: 'x' })
  await iago.says('to you two', { people: [hamlet, cordelia] })
  const unread = async (who: typeof hamlet): Promise<number> => {
    const { unread_msgs } = await who.api.post('/register')
    return unread_msgs.count
  }
  const [mine, hers] = [await unread(hamlet), await unread(cordelia)]
  await verifyEvents([hamlet, cordelia], () => hamlet.api.post(`/users/me/muted_users/${iago.id}`))
  assert.deepEqual([mine - (await unread(hamlet)), await unread(cordelia)], [2, hers])
  const [events] = await verifyEvents([hamlet, cordelia], async () => {
    await iago.says('after @**hamlet**', { topic: 'x' })
    await iago.says('to you two', { people: [hamlet, cordelia] })
  })
  const flags = events!.flatMap((event) => (event.type === 'message' ? [event.flags] : []))
  assert.deepEqual(flags, [['read', 'mentioned'], ['read']])
  assert.deepEqual([mine - (await unread(hamlet)), await unread(cordelia)], [2, hers + 2])
  await hamlet.api.delete(`/users/me/muted_users/${iago.id}`)
  await iago.says('again', { topic: 'x' })
  assert.equal(mine - (await unread(hamlet)), 1)
})
