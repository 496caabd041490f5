import assert from 'node:assert/strict'
import test from 'node:test'
import { PASSWORD } from '../../src/testing/person.ts'
import { world } from '../../src/testing/world.ts'
import { ORIGIN } from './passkey-browser.ts'

const provider = { issuer: 'https://login.example.org', client_id: 'chat', create: 'never' }
const server = { host: 'mail.example.com', port: 587, security: 'starttls', from: 'Chat <chat@example.com>' }

for (const [what, method, path, params] of [
  ['mail server', 'put', '/mail/server', { ...server, account_password: PASSWORD }],
  ['provider', 'post', '/sign_on/providers', { name: 'company', provider, password: PASSWORD }],
] as const)
  test(`a ${what} isn't stored for an owner who loses the role while the password is checked`, async () => {
    // Hashing takes long enough for the new role to be first.
    await using w = await world({ chat: { publicUrl: ORIGIN, passwordCost: 12 } })
    const { iago, hamlet } = w.people
    assert.equal((await iago.api.patch(`/users/${hamlet.id}`, { role: 100 })).msg, '')
    const setting = hamlet.api[method](path, params)
    assert.equal((await iago.api.patch(`/users/${hamlet.id}`, { role: 400 })).msg, '')
    assert.equal((await setting).msg, 'Must be an organization owner')
    assert.equal((await iago.api.get('/mail')).server, null)
    assert.deepEqual((await iago.api.get('/sign_on/providers')).providers, [])
  })
