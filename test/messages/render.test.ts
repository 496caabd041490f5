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

test('entities in addresses never stand for other parts of the message', async () => {
  await using w = await world()
  const render = (content: string) => w.people.iago.api.post('/messages/render', { content })
  // Characters that the renderer itself puts into texts, once with a part that exists and once without.
  for (const content of ['[](/&#129;0&#141;)', '`a` [](/&#x81;0&#x8d;)', 'https://a.example/&#129;0&#141;/b']) {
    const { status, rendered } = await render(content)
    assert.deepEqual([status, rendered.match(/<code>/g)?.length ?? 0], [200, content.startsWith('`') ? 1 : 0])
  }
  const links = Array.from({ length: 8 }, (_, part) => `[](/${`&#129;${part}&#141;`.repeat(4)})`)
  const { rendered } = await render(`\`a\` ${links.join('')}`)
  assert.ok(rendered.length < 2000, `${rendered.length} characters`)
})
