import assert from 'node:assert/strict'
import test from 'node:test'
import { createDevOrganization, devAccounts } from '../../src/core/accounts/dev/dev-people.ts'
import { findByApiKey } from '../../src/core/accounts/keys.ts'
import { createApp } from '../../src/http/index.ts'
import { type Chat, openChat } from '../../src/index.ts'
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
  for (const [name, bot_type] of [
    ['default-bot', 1],
    ['webhook-bot', 2],
    ['outgoing-webhook', 3],
  ] as const) {
    const { body } = await s.ask('POST', '/dev_fetch_api_key', `${name}@zulip.com`)
    const found = await findByApiKey(s.chat, body.api_key)
    assert.deepEqual([found?.user.id, found?.user.bot_type], [body.user_id, bot_type])
  }
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

/** A client that keeps cookies and sends them along, as test suites of clients have. */
function cookieJar(chat: Chat) {
  const app = createApp({ chat, rateLimit: false })
  const cookies = new Map<string, string>()
  return {
    cookies,
    async post(path: string, params: Record<string, string>, headers: Record<string, string> = {}) {
      const cookie = [...cookies].map((pair) => pair.join('=')).join('; ')
      const init = { method: 'POST', headers: { ...headers, ...(cookie && { cookie }) }, body: form(params) }
      const response = await app.fetch(new Request(`http://localhost:9991${path}`, init))
      for (const text of response.headers.getSetCookie()) {
        const [name = '', value = ''] = text.split(';')[0]!.split('=')
        cookies.set(name, value)
      }
      // biome-ignore lint/suspicious/noExplicitAny: whatever the server answers.
      return { status: response.status, body: (await response.json()) as any }
    },
  }
}

const bot = { full_name: 'Helper', short_name: 'helper', bot_type: '1' }

test('signs clients in with a session and a csrftoken cookie, with which they create bots', async () => {
  await using s = await served(true)
  const { cookies, post } = cookieJar(s.chat)
  const { body: account } = await post('/api/v1/dev_fetch_api_key', { username: 'iago@zulip.com' })
  assert.deepEqual([...cookies.keys()], ['chat_session', 'csrftoken'])
  assert.equal(cookies.get('chat_session'), account.api_key)
  const token = cookies.get('csrftoken')!
  assert.match(token, /^\w{32}$/)
  const made = await post('/json/bots', bot, { 'x-csrftoken': token })
  assert.equal(made.status, 200, made.body.msg)
  assert.ok(made.body.api_key)
  for (const headers of [{}, { 'x-csrftoken': '' }, { 'x-csrftoken': 'a'.repeat(32) }]) {
    const { status, body } = await post('/json/bots', { ...bot, full_name: 'Other', short_name: 'other' }, headers)
    assert.deepEqual([status, body.msg], [400, 'Browser requests need the header x-requested-with'])
  }
  const foreign = { 'x-csrftoken': token, 'sec-fetch-site': 'cross-site' }
  assert.equal((await post('/json/bots', bot, foreign)).status, 400)
  cookies.delete('csrftoken')
  assert.equal((await post('/json/bots', bot, { 'x-csrftoken': token })).status, 400)
})

test('gives keys only to pages on this machine', async () => {
  await using s = await served(true)
  const { cookies, post } = cookieJar(s.chat)
  const account = { username: 'iago@zulip.com' }
  for (const origin of ['https://evil.example', 'http://localhost.evil.example', 'null']) {
    const { status, body } = await post('/api/v1/dev_fetch_api_key', account, { origin })
    assert.deepEqual([status, body.code, cookies.size], [400, 'BAD_REQUEST', 0], origin)
  }
  for (const origin of ['http://localhost:5173', 'http://127.0.0.1:9991', 'http://[::1]:3000'])
    assert.equal((await post('/api/v1/dev_fetch_api_key', account, { origin })).status, 200, origin)
})

test('takes no csrftoken outside development', async () => {
  await using s = await served(false)
  const { cookies, post } = cookieJar(s.chat)
  const [iago] = await devAccounts(s.chat)
  cookies.set('chat_session', iago!.api_key)
  cookies.set('csrftoken', 'a'.repeat(32))
  assert.equal((await post('/json/bots', bot, { 'x-csrftoken': 'a'.repeat(32) })).status, 400)
  assert.equal((await post('/json/bots', bot, { 'x-requested-with': 'test' })).status, 200)
})
