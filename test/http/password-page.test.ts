import assert from 'node:assert/strict'
import test from 'node:test'
import { createApp } from '../../src/http/index.ts'
import { issuePasswordLink, updateUser } from '../../src/index.ts'
import { type World, world } from '../../src/testing/index.ts'

async function scene() {
  const w: World = await world()
  const app = createApp({ chat: w.chat, rateLimit: false })
  const { iago, hamlet } = w.people
  const { path } = await iago.write((tx) => issuePasswordLink(tx, hamlet.id))
  const url = `http://localhost${path}`
  return {
    w,
    hamlet,
    iago,
    url,
    get: (address = url, headers: Record<string, string> = {}) => app.fetch(new Request(address, { headers })),
    post: (fields: Record<string, string>, headers: Record<string, string> = {}) =>
      app.fetch(new Request(url, { method: 'POST', body: new URLSearchParams(fields), headers })),
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  }
}

test("a link opens a form without scripts that can't be framed and leaks no referrer", async () => {
  await using s = await scene()
  const page = await s.get()
  assert.equal(page.status, 200)
  assert.equal(page.headers.get('content-type'), 'text/html; charset=utf-8')
  const policy = page.headers.get('content-security-policy')!
  assert.match(
    policy,
    /^default-src 'none'; style-src 'sha256-[\w+/=]{44}'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'$/,
  )
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(page.headers.get('cache-control'), 'no-store')
  const html = await page.text()
  assert.doesNotMatch(html, /<script|\son\w+=/)
  assert.match(html, /<form method="post">/)
  assert.equal(html.match(/type="password"/g)!.length, 2)
})

test('the form sets the password and explains errors', async () => {
  await using s = await scene()
  const differs = await s.post({ password: 'another horse', password_again: 'other horse' })
  assert.equal(differs.status, 400)
  assert.match(await differs.text(), /role="alert">The passwords don't match.*<form/s)
  const short = await s.post({ password: '123', password_again: '123' })
  assert.equal(short.status, 400)
  assert.match(await short.text(), /at least 6 characters.*<form/s)
  // A password is taken as it is typed, also where it looks like JSON.
  const done = await s.post({ password: '"12345678"', password_again: '"12345678"' })
  assert.equal(done.status, 200)
  assert.match(await done.text(), /was changed.*<a href="\/">Sign in<\/a>/s)
  const signIn = await s.iago.api.post('/fetch_api_key', { username: s.hamlet.email, password: '"12345678"' })
  assert.equal(signIn.status, 200)
  for (const late of [await s.get(), await s.post({ password: 'late horse', password_again: 'late horse' })]) {
    assert.equal(late.status, 400)
    assert.match(await late.text(), /expired or was already used.*<a href="\/">Sign in<\/a>/s)
  }
})

test('shows names as plain text and no form without a token', async () => {
  await using s = await scene()
  await updateUser(s.iago, { user_id: s.hamlet.id, full_name: 'A <b & B' })
  assert.match(await (await s.get()).text(), /For A &lt;b &amp; B/)
  for (const address of ['http://localhost/password', 'http://localhost/password?token=%3Cscript%3E']) {
    const page = await s.get(address)
    assert.equal(page.status, 400)
    assert.doesNotMatch(await page.text(), /<form|<script/)
  }
})

test("signs in people who set a password on this server's page", async () => {
  await using s = await scene()
  const fields = { password: 'another horse', password_again: 'another horse' }
  const done = await s.post(fields, { 'sec-fetch-site': 'same-origin' })
  assert.match(await done.text(), /signed in here/)
  const headers = { cookie: done.headers.get('set-cookie')!.split(';')[0]! }
  const me = await s.get('http://localhost/json/users/me', headers)
  assert.equal(((await me.json()) as { email: string }).email, s.hamlet.email)
})
