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

test('mentions the active one of several people with a name, and the one who joined first among those', async () => {
  await using w = await world()
  const { iago } = w.people
  const join = async (email: string): Promise<number> => {
    const { user_id } = await iago.api.post('/users', { email, full_name: 'Twin', password: 'correct horse battery' })
    return user_id
  }
  const mentioned = async () => {
    const { rendered } = await iago.api.post('/messages/render', { content: 'Hi @**Twin**' })
    return Number(/data-user-id="(\d+)"/.exec(rendered)?.[1])
  }
  const [first, second] = [await join('one@example.com'), await join('two@example.com')]
  assert.equal(await mentioned(), first)
  await iago.api.delete(`/users/${first}`)
  assert.equal(await mentioned(), second)
})
