import assert from 'node:assert/strict'
import { test } from 'node:test'
import { world } from '../../src/testing/world.ts'
import { listen } from '../messages/listen.ts'

async function scene() {
  const w = await world({ streams: { secret: { private: true, members: ['hamlet', 'cordelia'] } } })
  const { hamlet, cordelia } = w.people
  for (let i = 0; i < 3; i++) {
    await hamlet.says(`open ${i}`, { stream: 'general', topic: `t${i % 2}` })
    await hamlet.says(`hidden ${i}`, { stream: 'secret', topic: 'x' })
    await hamlet.says(`direct ${i}`, { people: [cordelia] })
  }
  await cordelia.says('answer', { people: [hamlet] })
  return w
}

test('deactivates with the messages of a kind, and events for their readers', async () => {
  for (const [kind, gone] of [
    ['delete_public_channel_messages', 'open'],
    ['delete_private_channel_messages', 'hidden'],
    ['delete_direct_messages', 'direct'],
  ] as const) {
    await using w = await scene()
    const { hamlet, cordelia, iago } = w.people
    const received = await listen(cordelia, ['delete_message', 'realm_user'])
    assert.equal((await iago.api.delete(`/users/${hamlet.id}`, { actions: { [kind]: true } })).msg, '')
    const { messages } = await cordelia.api.get('/messages', { anchor: 'newest', num_before: 99, num_after: 0 })
    const left = messages
      .filter(({ sender_id }: { sender_id: number }) => sender_id === hamlet.id)
      .map(({ content }: { content: string }) => content.replace(/<p>(\w+) .*/, '$1'))
    const kinds = ['open', 'hidden', 'direct'].filter((one) => one !== gone)
    assert.deepEqual([...new Set(left)].sort(), kinds.sort(), kind)
    assert.equal(left.length, 6)
    const events = await received()
    const deleted = events.filter(({ type }: { type: string }) => type === 'delete_message')
    assert.equal(deleted.flatMap(({ message_ids }: { message_ids: number[] }) => message_ids).length, 3, kind)
    assert.ok(messages.some(({ content }: { content: string }) => content.includes('answer')))
  }
})

test("deletes profiles of a user and the user's bots, even where names are unique", async () => {
  await using w = await scene()
  const { hamlet, cordelia, iago } = w.people
  await iago.api.patch('/realm', { require_unique_names: true })
  const bot = await hamlet.api.post('/bots', { full_name: 'Skull', short_name: 'skull' })
  const received = await listen(cordelia, ['realm_user'])
  await iago.api.delete(`/users/${hamlet.id}`, { actions: { delete_profile: true } })
  const shown = async (id: number) => {
    const { full_name, is_active } = (await iago.api.get(`/users/${id}`)).user
    return [full_name, is_active]
  }
  for (const id of [hamlet.id, bot.user_id]) assert.deepEqual(await shown(id), ['Deleted user', false])
  const deleted = async (id: number) => (await iago.api.get(`/users/${id}`)).user.is_deleted
  assert.deepEqual([await deleted(hamlet.id), await deleted(bot.user_id)], [true, true])
  assert.equal(await deleted(cordelia.id), undefined)
  const off = (await received()).filter(({ person }: { person: object }) => 'is_active' in person)
  assert.deepEqual(
    off.map(({ person }: { person: { user_id: number } }) => person.user_id),
    [bot.user_id, hamlet.id],
  )
  await iago.api.delete(`/users/${cordelia.id}`, { actions: {} })
  assert.deepEqual(await shown(cordelia.id), ['cordelia', false])
  assert.equal((await iago.api.delete(`/users/${iago.id}`, { actions: { delete_profile: 'yes' } })).status, 400)
})
