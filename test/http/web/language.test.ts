import assert from 'node:assert/strict'
import test from 'node:test'
import { testServer } from '../../../src/testing/index.ts'
import { clientBuilt } from '../../web/browser.ts'

test("the page names the organization's language", async () => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const page = () => fetch(server.url, { headers: { 'accept-encoding': 'br' } })
  const english = await page()
  assert.match(await english.text(), /<html lang="en">/)
  assert.equal(english.headers.get('content-encoding'), 'br')
  await server.iago.api.patch('/realm', { default_language: 'ar' })
  const arabic = await page()
  assert.match(await arabic.text(), /<html lang="ar">/)
  assert.notEqual(arabic.headers.get('etag'), english.headers.get('etag'))
  const policy = 'content-security-policy'
  assert.equal(arabic.headers.get(policy), english.headers.get(policy))
  const cached = { 'if-none-match': arabic.headers.get('etag')! }
  assert.equal((await fetch(server.url, { headers: cached })).status, 304)
})
