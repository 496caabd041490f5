import assert from 'node:assert/strict'
import test from 'node:test'
import { world } from '../../src/testing/index.ts'

test('renders like a send without sending', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  await w.events()
  const content = 'Hi @**hamlet** in #**general**, **now** :tada:'
  const { rendered } = await iago.api.post('/messages/render', { content })
  assert.match(rendered, new RegExp(`data-user-id="${hamlet.id}"`))
  assert.deepEqual(await w.events(), [])
  const { id } = await iago.says(content)
  assert.equal((await hamlet.api.get(`/messages/${id}`)).message.content, rendered)
})

test("rejects what couldn't be sent", async () => {
  await using w = await world()
  const render = (content: string) => w.people.iago.api.post('/messages/render', { content })
  assert.equal((await render(' ')).msg, 'Message must not be empty')
  assert.equal((await render('a'.repeat(10_001))).code, 'BAD_REQUEST')
})
