import assert from 'node:assert/strict'
import { test } from 'node:test'
import { apiOf } from '../../src/testing/api.ts'
import { type Person, type World, world } from '../../src/testing/world.ts'

let joined = 0

/** Direct messages that an account made with a link begins with. */
async function joinedWith(w: World, inviter: Person, more: object): Promise<string[]> {
  const { invite_link } = await inviter.api.post('/invites/multiuse', { stream_ids: [], ...more })
  const email = `new${++joined}@example.com`
  const joining = {
    token: new URL(invite_link).searchParams.get('token'),
    email,
    full_name: 'New',
    password: 'alas poor',
  }
  const { api_key } = await apiOf(w.chat).post('/invitation', joining)
  const window = { anchor: 'newest', num_before: 9, num_after: 0, narrow: [['is', 'dm']], apply_markdown: false }
  const { messages } = await apiOf(w.chat, { email, key: api_key }).get('/messages', window)
  return messages.slice(1).map(({ content }: { content: string }) => content)
}

test("greets people who join with the invitation's text or the organization's", async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  await iago.api.patch('/realm', { create_multiuse_invite_group: { new: await everyone(w) } })
  assert.deepEqual(await joinedWith(w, iago, {}), [])
  await iago.api.patch('/realm', { welcome_message_custom_text: 'Read the **handbook**.' })
  const own = { welcome_message_custom_text: 'Ask Yorick.' }
  assert.deepEqual(await joinedWith(w, iago, {}), ['Read the **handbook**.'])
  assert.deepEqual(await joinedWith(w, iago, own), ['Ask Yorick.'])
  assert.deepEqual(await joinedWith(w, iago, { welcome_message_custom_text: '' }), [])
  assert.deepEqual(await joinedWith(w, hamlet, own), ['Read the **handbook**.'], 'only administrators choose')
  const tooLong = await iago.api.post('/invites/multiuse', {
    stream_ids: [],
    welcome_message_custom_text: 'x'.repeat(8001),
  })
  assert.equal(tooLong.msg, 'welcome_message_custom_text is too long (limit: 8000 characters)')
})

test('sends administrators the text they try', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const path = '/realm/test_welcome_bot_custom_message'
  const { message_id } = await iago.api.post(path, { welcome_message_custom_text: 'Hello **you**' })
  const { message } = await iago.api.get(`/messages/${message_id}`, { apply_markdown: false })
  assert.deepEqual([message.content, message.sender_full_name], ['Hello **you**', 'Welcome Bot'])
  assert.equal((await hamlet.api.post(path, { welcome_message_custom_text: 'x' })).code, 'UNAUTHORIZED_PRINCIPAL')
  assert.equal((await iago.api.post(path, { welcome_message_custom_text: ' ' })).msg, 'Message must not be empty')
})

async function everyone(w: World): Promise<number> {
  const { user_groups } = await w.iago.api.get('/user_groups')
  return user_groups.find(({ name }: { name: string }) => name === 'role:members').id
}
