import assert from 'node:assert/strict'
import test from 'node:test'
import { endKeysWithoutTerms } from '../../src/core/accounts/terms.ts'
import { createApp } from '../../src/http/app.ts'
import { apiOf, type World, world } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'

const TEXT = 'Be [kind](https://example.com/terms).'

async function scene() {
  const w = await world()
  assert.equal((await w.people.iago.api.patch('/realm', { terms_text: TEXT })).msg, '')
  const { invite_link } = await w.people.iago.api.post('/invites/multiuse', { stream_ids: [] })
  const token = new URL(invite_link).searchParams.get('token')!
  const join = (more: object) => {
    const fields = { token, email: 'yorick@example.com', full_name: 'Yorick', password: 'alas poor yorick', ...more }
    return apiOf(w.chat).post('/invitation', fields)
  }
  return { w, token, join }
}

const accepted = async (w: World) =>
  (await w.people.iago.api.get('/audit', { action: 'acceptTerms' })).entries.map(
    ({ actor_id, after }: { actor_id: number; after: { version: number } }) => [actor_id, after.version],
  )

/** A browser that is signed in. */
async function browser(w: World, who: 'hamlet' | 'cordelia' = 'hamlet') {
  const app = createApp({ chat: w.chat, rateLimit: false })
  const headers = { 'sec-fetch-site': 'same-origin', 'content-type': 'application/x-www-form-urlencoded' }
  const { email: username, password } = w.people[who]
  const begun = await app.fetch(
    new Request('http://localhost/json/session', {
      method: 'POST',
      headers: { ...headers, 'x-requested-with': 'chat-server' },
      body: new URLSearchParams({ username, password }),
    }),
  )
  assert.equal(begun.status, 200)
  const cookie = begun.headers.getSetCookie()[0]!.split(';')[0]!
  const ask = (path: string, init: RequestInit = {}) =>
    app.fetch(
      new Request(`http://localhost${path}`, {
        ...init,
        headers: { ...headers, cookie, 'x-requested-with': 'chat-server' },
      }),
    )
  return {
    register: async () => {
      const answer = await ask('/json/register', { method: 'POST', body: new URLSearchParams() })
      return { status: answer.status, ...(await answer.json()) }
    },
    page: async () => (await ask('/accounts/terms')).text(),
    accept: (terms: string) => ask('/accounts/terms', { method: 'POST', body: new URLSearchParams({ terms }) }),
  }
}

test('people accept the terms when they join with an invitation', async () => {
  const { w, token, join } = await scene()
  await using _ = w.chat
  const { terms } = await apiOf(w.chat).get('/invitation', { token })
  assert.deepEqual([terms.version, terms.content], [1, TEXT])
  assert.match(terms.rendered_content, /<a href="https:\/\/example\.com\/terms"/)
  for (const terms_version of [undefined, 0, 2]) {
    const answer = await join({ terms_version })
    assert.deepEqual([answer.status, answer.code, answer.version], [403, 'TERMS_NOT_ACCEPTED', 1])
  }
  const { user_id } = await join({ terms_version: 1 })
  assert.deepEqual(await accepted(w), [[user_id, 1]])
})

test('the page of an invitation shows the terms, and asks for them', async () => {
  const { w, token } = await scene()
  await using _ = w.chat
  const app = createApp({ chat: w.chat, rateLimit: false })
  const url = `http://localhost/join?token=${token}`
  const html = await (await app.fetch(new Request(url))).text()
  assert.match(html, /<a href="https:\/\/example\.com\/terms"/)
  assert.match(html, /<input name="terms" type="checkbox" [^>]*value="1" required/)
  const post = (terms: object) => {
    const password = 'alas poor yorick'
    const fields = { email: 'yorick@example.com', full_name: 'Yorick', password, password_again: password, ...terms }
    return app.fetch(new Request(url, { method: 'POST', body: new URLSearchParams(fields) }))
  }
  const without = await post({})
  assert.equal(without.status, 400)
  assert.match(await without.text(), /Accept the terms of the organization to continue\./)
  assert.equal((await post({ terms: '1' })).status, 200)
  assert.equal((await accepted(w)).length, 1)
})

test('browsers ask everyone else once, and again for a new version; other clients never ask', async () => {
  const { w } = await scene()
  await using _ = w.chat
  const { hamlet, iago } = w.people
  const { register, page, accept } = await browser(w)
  const refused = await register()
  assert.deepEqual([refused.status, refused.code, refused.version], [403, 'TERMS_NOT_ACCEPTED', 1])
  assert.equal((await hamlet.api.post('/register')).result, 'success')
  assert.match(await page(), /I accept these terms/)
  // Another version than the one that was shown.
  assert.equal((await accept('2')).status, 200)
  assert.equal((await register()).status, 403)
  const done = await accept('1')
  assert.deepEqual([done.status, done.headers.get('location')], [303, '/'])
  assert.equal((await register()).status, 200)
  assert.deepEqual(await accepted(w), [[hamlet.id, 1]])
  // Correcting the text asks nobody again.
  await iago.api.patch('/realm', { terms_text: 'Be kind.' })
  assert.equal((await register()).status, 200)
  await iago.api.patch('/realm', { terms_version: 2 })
  assert.equal((await register()).status, 403)
  assert.equal((await accept('1')).status, 200)
  assert.equal((await accept('2')).status, 303)
  assert.match(await page(), /There is nothing to accept/)
  assert.equal((await register()).status, 200)
  assert.deepEqual((await accepted(w)).length, 2)
  await w.restore(await w.snapshot())
  await iago.api.patch('/realm', { terms_text: '' })
  assert.equal((await (await browser(w, 'cordelia')).register()).status, 200)
})

test('from a day on, apps need the terms, too: people who have not accepted them are signed out once', async () => {
  const { w } = await scene()
  await using _ = w.chat
  const { hamlet, cordelia, iago } = w.people
  const bot = await hamlet.api.post('/bots', { full_name: 'Bot', short_name: 'bot' })
  const token = await hamlet.api.post('/users/me/api_keys', { name: 'x', scopes: ['read'], password: hamlet.password })
  const { bots } = await hamlet.api.get('/bots')
  const { accept, register } = await browser(w, 'cordelia')
  assert.equal((await accept('1')).status, 303)
  const signIn = async ({ email, password }: { email: string; password: string }) =>
    apiOf(w.chat).post('/fetch_api_key', { username: email, password })
  const day = Math.floor(w.clock.now() / 1000) + 86_400
  assert.equal((await iago.api.patch('/realm', { terms_required_after: day })).msg, '')
  w.clock.advance(43_200_000)
  await endKeysWithoutTerms(w.chat)
  // Nothing happens before that day.
  const early = await signIn(hamlet)
  assert.equal(early.result, 'success')
  w.clock.advance(2 * 86_400_000)
  await eventually('hamlet is signed out', async () => (await hamlet.api.get('/users/me')).code === 'INVALID_API_KEY')
  const refused = await signIn(hamlet)
  assert.deepEqual([refused.status, refused.code], [401, 'AUTHENTICATION_FAILED'])
  assert.match(refused.msg, /^Accept the terms of the organization first\./)
  // The others stay: people who have accepted, bots, and limited keys.
  const { email } = hamlet
  for (const api of [
    cordelia.api,
    apiOf(w.chat, { email: bots[0].username, key: bot.api_key }),
    apiOf(w.chat, { email, key: token.api_key }),
  ])
    assert.equal((await api.get('/users/me')).msg, '')
  assert.equal((await register()).status, 200)
  // In a browser, hamlet is asked. Then apps can sign in, and stay.
  const again = await browser(w)
  assert.equal((await again.register()).status, 403)
  assert.equal((await again.accept('1')).status, 303)
  const { api_key: key } = await signIn(hamlet)
  w.clock.advance(2 * 86_400_000)
  await endKeysWithoutTerms(w.chat)
  assert.equal((await apiOf(w.chat, { email, key }).get('/users/me')).result, 'success')
})

test('only owners change the terms', async () => {
  const { w } = await scene()
  await using _ = w.chat
  await w.people.iago.api.patch(`/users/${w.people.cordelia.id}`, { role: 200 })
  for (const change of [{ terms_text: 'x' }, { terms_version: 3 }, { terms_required_after: 1 }])
    assert.equal((await w.people.cordelia.api.patch('/realm', change)).code, 'UNAUTHORIZED_PRINCIPAL')
})
