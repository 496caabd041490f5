import assert from 'node:assert/strict'
import test from 'node:test'
import { createApp } from '../../src/http/index.ts'
import { deactivateOrganization } from '../../src/index.ts'
import { type World, world } from '../../src/testing/index.ts'

async function scene() {
  const w: World = await world()
  const app = createApp({ chat: w.chat, rateLimit: false })
  const { iago } = w.people
  return {
    w,
    iago,
    get: (address: string) => app.fetch(new Request(address)),
    post: (address: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
      app.fetch(new Request(address, { method: 'POST', body: new URLSearchParams(fields), headers })),
    link: async (): Promise<string> => (await iago.api.post('/invites/multiuse')).invite_link,
    linkFor: async (invitee_emails: string): Promise<string> =>
      (await iago.api.post('/invites', { invitee_emails, stream_ids: [] })).invitations[0].link_url,
    emailOf: async (cookie: string): Promise<string> => {
      const headers = { cookie: cookie.split(';')[0]! }
      const answer = await app.fetch(new Request('http://localhost/json/users/me', { headers }))
      return ((await answer.json()) as { email: string }).email
    },
    signIn: (username: string, password: string) => iago.api.post('/fetch_api_key', { username, password }),
    [Symbol.asyncDispose]: () => w[Symbol.asyncDispose](),
  }
}

const yorick = { full_name: 'Yorick', password: 'alas poor', password_again: 'alas poor' }

test("an invitation opens a form without scripts that can't be framed and fits a phone", async () => {
  await using s = await scene()
  const page = await s.get(await s.linkFor('yorick@example.com'))
  assert.equal(page.status, 200)
  assert.match(page.headers.get('content-security-policy')!, /default-src 'none'.*frame-ancestors 'none'/)
  assert.equal(page.headers.get('referrer-policy'), 'no-referrer')
  assert.equal(page.headers.get('cache-control'), 'no-store')
  const html = await page.text()
  assert.match(html, /<h1>Join Elsinore<\/h1>/)
  assert.match(html, /<meta name="viewport" content="width=device-width">/)
  assert.doesNotMatch(html, /<script|\son\w+=/)
  assert.match(html, /invited as yorick@example\.com/)
  assert.doesNotMatch(html, /type="email"/)
  assert.equal(html.match(/<input /g)!.length, 3)
})

test('a single-use link registers one person under the invited address', async () => {
  await using s = await scene()
  const link = await s.linkFor('yorick@example.com')
  const done = await s.post(link, { ...yorick, email: 'other@example.com' })
  assert.equal(done.status, 200)
  const html = await done.text()
  assert.match(html, /<h1>Welcome to Elsinore<\/h1>/)
  assert.match(html, /Sign in as yorick@example\.com/)
  assert.match(html, /<a href="\/">/)
  assert.equal((await s.signIn('yorick@example.com', 'alas poor')).status, 200)
  for (const late of [await s.get(link), await s.post(link, yorick)]) {
    assert.equal(late.status, 400)
    const text = await late.text()
    assert.match(text, /expired or was already used/)
    assert.doesNotMatch(text, /<form/)
  }
})

test('a reusable link asks for an address and keeps the input after an error', async () => {
  await using s = await scene()
  const link = await s.link()
  assert.match(await (await s.get(link)).text(), /type="email"/)
  const refused: [more: object, sentence: RegExp][] = [
    [{ password_again: 'alas rich' }, /The passwords don't match/],
    [{ email: '' }, /Enter a valid email address/],
    [{ email: s.w.people.hamlet.email }, /already|in use|taken/i],
    [{ password: '123', password_again: '123' }, /at least 6 characters/],
    [{ full_name: 'Y"><script>' }, /Invalid characters in name!/],
  ]
  for (const [more, sentence] of refused) {
    const page = await s.post(link, { ...yorick, email: 'y@example.com', ...more })
    assert.equal(page.status, 400)
    const html = await page.text()
    assert.match(html, sentence)
    const name = 'full_name' in more ? 'Y&quot;&gt;&lt;script&gt;' : 'Yorick'
    assert.ok(html.includes(`value="${name}"`), html)
    assert.doesNotMatch(html, /<script|alas/)
  }
  for (const email of ['y1@example.com', 'y2@example.com']) {
    assert.equal((await s.post(link, { ...yorick, email })).status, 200)
    assert.equal((await s.signIn(email, 'alas poor')).status, 200)
  }
})

test('shows no form without a valid token or while the organization is deactivated', async () => {
  await using s = await scene()
  const link = await s.link()
  const pages = [
    await s.get('http://localhost/join'),
    await s.get('http://localhost/join?token=%3Cscript%3E'),
    await s.get(`${link}x`),
    await s.post(`${link}x`, yorick),
  ]
  await deactivateOrganization(s.iago, {})
  for (const page of [...pages, await s.get(link), await s.post(link, { ...yorick, email: 'y@example.com' })]) {
    assert.ok(page.status === 400 || page.status === 401)
    assert.doesNotMatch(await page.text(), /<form|<script/)
  }
})

test("signs in new members only if the form was submitted from this server's page", async () => {
  await using s = await scene()
  const link = await s.link()
  const sites = { 'same-origin': true, 'same-site': false, 'cross-site': false, none: false }
  for (const [site, isOwn] of Object.entries(sites)) {
    const email = `${site}@example.com`
    const done = await s.post(link, { ...yorick, email }, { 'sec-fetch-site': site })
    assert.equal(done.status, 200)
    assert.match(await done.text(), isOwn ? /signed in as same-origin@/ : /Sign in as/)
    assert.equal(done.headers.has('set-cookie'), isOwn)
    if (isOwn) assert.equal(await s.emailOf(done.headers.get('set-cookie')!), email)
  }
  const refused = await s.post(link, { ...yorick, email: '' }, { 'sec-fetch-site': 'same-origin' })
  assert.equal(refused.headers.has('set-cookie'), false)
})
