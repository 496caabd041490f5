import assert from 'node:assert/strict'
import test from 'node:test'
import { runCommand } from '../../src/admin/commands.ts'
import { setUpPath } from '../../src/core/organization/set-up.ts'
import { createApp } from '../../src/http/index.ts'
import { actAs, contextOf, createOrganization, openChat, updateSettings } from '../../src/index.ts'
import { apiOf } from '../../src/testing/index.ts'

const OWNER = { org: 'Chat', owner_email: 'owner@localhost', owner_name: 'Owner' }
const given = {
  organization: 'Elsinore',
  full_name: 'Gertrude',
  email: 'gertrude@example.com',
  password: 'correct horse',
  password_again: 'correct horse',
}

async function scene({ setUp = true } = {}) {
  const chat = await openChat({ passwordCost: 4 })
  const owner = await createOrganization(chat, OWNER, { setUp })
  const app = createApp({ chat, rateLimit: false })
  const api = apiOf(chat)
  const path = () => setUpPath(contextOf(chat))
  const address = `http://localhost${await path()}`
  return {
    chat,
    owner,
    path,
    address,
    get: (at = address) => app.fetch(new Request(at)),
    post: (fields: Record<string, string> = given, at = address) =>
      app.fetch(new Request(at, { method: 'POST', body: new URLSearchParams(fields) })),
    signIn: (username: string, password: string) => api.post('/fetch_api_key', { username, password }),
    [Symbol.asyncDispose]: () => chat.close(),
  }
}

test('the link opens a form whose values name the organization and owner', async () => {
  await using s = await scene()
  assert.match((await s.path())!, /^\/set-up\?token=[\w-]{43}$/)
  const page = await s.get()
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  const html = await page.text()
  assert.doesNotMatch(html, /<script|\son\w+=/)
  assert.equal(html.match(/<input /g)!.length, 5)

  const done = await s.post()
  assert.equal(done.status, 200)
  assert.match(await done.text(), /<h1>Elsinore is ready<\/h1>.*Sign in as gertrude@example\.com/s)
  assert.equal((await apiOf(s.chat).get('/server_settings')).realm_name, 'Elsinore')
  const { api_key } = await s.signIn(given.email, given.password)
  const me = await apiOf(s.chat, { email: given.email, key: api_key }).get('/users/me')
  assert.deepEqual([me.full_name, me.is_owner, me.user_id], ['Gertrude', true, s.owner.user_id])
})

test('welcomes the owner once, under the name that the organization was given', async () => {
  await using s = await scene()
  await s.post()
  const { api_key } = await s.signIn(given.email, given.password)
  const api = apiOf(s.chat, { email: given.email, key: api_key })
  const { messages } = await api.get('/messages', {
    ...{ anchor: 'oldest', num_before: 0, num_after: 10 },
    narrow: [{ operator: 'is', operand: 'dm' }],
  })
  assert.equal(messages.length, 1)
  assert.match(messages[0].content, /^<p>Hello, and welcome to Elsinore!/)
})

test('works once, and then revokes the link, the printed password and the printed key', async () => {
  await using s = await scene()
  await s.post()
  for (const late of [await s.get(), await s.post({ ...given, full_name: 'Claudius' })]) {
    assert.equal(late.status, 400)
    const html = await late.text()
    assert.match(html, /is already set up\. Sign in/)
    assert.doesNotMatch(html, /<form/)
  }
  assert.equal(await s.path(), undefined)
  assert.equal((await s.signIn(OWNER.owner_email, s.owner.password)).status, 401)
  const { email, api_key } = s.owner
  assert.equal((await apiOf(s.chat, { email, key: api_key }).get('/users/me')).status, 401)
})

test('explains that a link is incomplete while setup is pending', async () => {
  await using s = await scene()
  const part = await s.get(s.address.slice(0, -1))
  assert.equal(part.status, 400)
  const html = await part.text()
  assert.match(html, /link is incomplete/)
  assert.doesNotMatch(html, /already set up/)
})

test('only one of two simultaneous uses creates the owner', async () => {
  await using s = await scene()
  const other = { ...given, full_name: 'Claudius', email: 'claudius@example.com', organization: 'Denmark' }
  const answers = await Promise.all([s.post(), s.post(other)])
  assert.deepEqual(answers.map(({ status }) => status).sort(), [200, 400])
  const signedIn = await Promise.all([given, other].map(({ email, password }) => s.signIn(email, password)))
  assert.deepEqual(signedIn.map(({ status }) => status).sort(), [200, 401])
})

test('explains an invalid value in the form and changes nothing', async () => {
  await using s = await scene()
  const table: [Partial<typeof given>, RegExp][] = [
    [{ organization: ' ' }, /blank/],
    [{ full_name: '' }, /Your name must have at least 2 characters/],
    [{ email: 'nobody' }, /Enter a valid email address/],
    [{ password: '123', password_again: '123' }, /at least 6 characters/],
    [{ password_again: 'another horse' }, /passwords don't match/],
  ]
  for (const [wrong, message] of table) {
    const answer = await s.post({ ...given, ...wrong })
    assert.equal(answer.status, 400)
    const html = await answer.text()
    assert.match(html, message)
    assert.match(html, /<form.*value="Elsinore"|<form.*value=" "/s)
  }
  assert.equal((await apiOf(s.chat).get('/server_settings')).realm_name, 'Chat')
  assert.equal((await s.post()).status, 200)
})

test('signing in with the printed password ends the link', async () => {
  await using s = await scene()
  assert.equal((await s.signIn(OWNER.owner_email, 'a guess')).status, 401)
  assert.ok(await s.path())
  assert.equal((await s.signIn(OWNER.owner_email, s.owner.password)).status, 200)
  assert.equal(await s.path(), undefined)
  assert.equal((await s.get()).status, 400)
})

test("a password change ends the link, and a deactivated owner can't set up", async () => {
  await using changed = await scene()
  const { email, password } = changed.owner
  const owner = await actAs(changed.chat, { email })
  await updateSettings(owner, { old_password: password, new_password: 'another horse' })
  assert.equal(await changed.path(), undefined)

  await using closed = await scene()
  await runCommand(closed.chat, 'addUser', { email: 'ann@example.com', name: 'Ann', role: 'owner' }, () => {})
  const set = { email: closed.owner.email, active: false }
  await runCommand(closed.chat, 'setActive', set, () => {})
  assert.match(await (await closed.post()).text(), /Account is deactivated/)
})

test('has no link for a named organization and rejects other tokens', async () => {
  await using named = await scene({ setUp: false })
  assert.equal(await named.path(), undefined)
  await using s = await scene()
  for (const at of ['http://localhost/set-up', `http://localhost/set-up?token=${'x'.repeat(43)}`]) {
    assert.equal((await s.get(at)).status, 400)
    assert.equal((await s.post(given, at)).status, 400)
  }
  await using empty = await openChat({})
  assert.equal(await setUpPath(contextOf(empty)), undefined)
})
