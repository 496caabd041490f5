import assert from 'node:assert/strict'
import test from 'node:test'
import { createDevOrganization } from '../../src/core/accounts/dev/dev-people.ts'
import { findByApiKey } from '../../src/core/accounts/keys.ts'
import { createApp } from '../../src/http/index.ts'
import { openChat } from '../../src/index.ts'
import { form } from '../http/targets.ts'

async function served(dev: boolean) {
  const chat = await openChat({ dev, passwordCost: 4 })
  await createDevOrganization(chat)
  const app = createApp({ chat, rateLimit: false })
  const ask = async (method: string, path: string, username?: string, origin = 'http://localhost:9991') => {
    const init = { method, ...(username !== undefined && { body: form({ username }) }) }
    const response = await app.fetch(new Request(`${origin}/api/v1${path}`, init))
    // biome-ignore lint/suspicious/noExplicitAny: whatever the server answers.
    return { status: response.status, body: (await response.json()) as any }
  }
  return { chat, ask, [Symbol.asyncDispose]: () => chat.close() }
}

test('gives anyone a key for the demo accounts in development', async () => {
  await using s = await served(true)
  const { body: list } = await s.ask('GET', '/dev_list_users')
  const emails = (accounts: { email: string }[]) => accounts.map(({ email }) => email)
  assert.deepEqual(emails(list.direct_admins), ['desdemona@zulip.com', 'iago@zulip.com'])
  for (const name of ['hamlet', 'cordelia', 'othello', 'ZOE', 'polonius']) {
    assert.ok(emails(list.direct_users).includes(`${name}@zulip.com`), name)
    const { status, body } = await s.ask('POST', '/dev_fetch_api_key', `${name}@zulip.com`)
    assert.equal(status, 200)
    assert.equal((await findByApiKey(s.chat, body.api_key))?.user.id, body.user_id)
  }
  assert.equal(list.direct_users[0].realm_url, 'http://localhost:9991')
  const unknown = await s.ask('POST', '/dev_fetch_api_key', 'nobody@zulip.com')
  assert.deepEqual([unknown.status, unknown.body.code], [401, 'AUTHENTICATION_FAILED'])
  const bot = await s.ask('POST', '/dev_fetch_api_key', 'notification-bot@chat.invalid')
  assert.equal(bot.status, 401)
})

test('gives no keys outside development or under a nonlocal host name', async () => {
  const refused = { result: 'error', msg: 'Endpoint not available in production.', code: 'BAD_REQUEST' }
  for (const [dev, origin] of [
    [false, 'http://localhost'],
    [true, 'http://evil.example'],
    [true, 'http://127.0.0.1.evil.example'],
    [true, 'http://localhost.evil.example'],
    [true, 'http://192.0.2.1'],
  ] as const) {
    await using s = await served(dev)
    for (const [method, path, username] of [
      ['GET', '/dev_list_users', undefined],
      ['POST', '/dev_fetch_api_key', 'iago@zulip.com'],
    ] as const) {
      const { status, body } = await s.ask(method, path, username, origin)
      assert.deepEqual([origin, status, body], [origin, 400, refused])
    }
  }
})
