import assert from 'node:assert/strict'
import test from 'node:test'
import { addressKey } from '../../src/storage/index.ts'
import { apiOf, world } from '../../src/testing/index.ts'

const KELVIN = '\u212A'

test('an address with a look-alike letter neither finds nor names another account', async () => {
  await using w = await world({ people: { mike: { email: 'Mike@example.org' } } })
  const { iago, mike } = w.people
  const twin = `mi${KELVIN}e@example.org`
  assert.notEqual(addressKey(twin), addressKey(mike.email))
  const signIn = (username: string) => apiOf(w.chat).post('/fetch_api_key', { username, password: mike.password })
  assert.equal((await signIn('mIKE@EXAMPLE.org')).status, 200)
  assert.equal((await signIn(twin)).code, 'AUTHENTICATION_FAILED')
  assert.equal((await iago.api.get(`/users/${encodeURIComponent(twin)}`)).status, 400)
  for (const local of [`mi${KELVIN}e`, 'm\u0131ke', '\uff4dike', 'mike\u0301']) {
    const email = `${local}@example.org`
    const made = await iago.api.post('/users', { email, password: 'correct horse', full_name: 'Mike Twin' })
    assert.deepEqual([made.status, made.msg], [400, 'Bad name or username'], email)
  }
})

test('an international domain names the same mail server in every spelling', async () => {
  await using w = await world({ people: { ute: { email: 'ute@b\u00fccher.example' } } })
  const { iago, ute } = w.people
  const signIn = (username: string) => apiOf(w.chat).post('/fetch_api_key', { username, password: ute.password })
  for (const domain of [
    'b\u00fccher.example',
    'bu\u0308cher.example',
    'B\u00dcCHER.EXAMPLE',
    'xn--bcher-kva.example',
  ]) {
    assert.equal((await signIn(`Ute@${domain}`)).status, 200, domain)
    const email = `ute@${domain}`
    const made = await iago.api.post('/users', { email, password: 'correct horse', full_name: 'Ute Twin' })
    assert.match(made.msg, /already in use$/, domain)
  }
  // Cyrillic letters in the domain make another domain, and one without a name in the DNS is no address.
  assert.notEqual(addressKey('ute@b\u0430ch.example'), addressKey('ute@bach.example'))
  const unnamed = { email: 'ute@xn--zzzz\u00e9.example', password: 'correct horse', full_name: 'Ute' }
  assert.equal((await iago.api.post('/users', unnamed)).msg, 'Bad name or username')
})
