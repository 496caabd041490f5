// cspell:disable
import assert from 'node:assert/strict'
import test from 'node:test'
import { type PasswordStrength, passwordStrength } from '../../src/core/accounts/password-strength.ts'
import { apiOf, world } from '../../src/testing/index.ts'

const expected: Readonly<Record<PasswordStrength, readonly string[]>> = {
  short: ['abc', 'x7$kQ'],
  easy: [
    '123456',
    'Passw0rd!',
    'dragon1999',
    'iloveyou2026',
    '!!letmein!!',
    'qwerty789',
    'aaaaaaaaaaaaaaab',
    'Hamlet@Elsinore',
  ],
  weak: ['mühlen', 'kettle', 'x7$kQz', 'hamlet kxq', 'kettle2026'],
  fair: ['x7$kQzab', 'monkey dragon', '4815162343', 'gardenxgarden'],
  strong: ['correct horse', 'mellow otter sings', 'correcthorsebatterystaple', 'kQzx7$kQ2b!mn'],
}

test('the strength of a new password agrees with what the server accepts', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { password_min_length, realm_name } = await iago.api.post('/register', { event_types: '["realm"]' })
  const { full_name } = await hamlet.api.get('/users/me')
  const surroundings = { email: hamlet.email, full_name, organization: realm_name }
  for (const [strength, passwords] of Object.entries(expected))
    for (const password of passwords) {
      assert.equal(passwordStrength(password, surroundings, password_min_length), strength, password)
      const { link_url } = await iago.api.post(`/users/${hamlet.id}/password_link`)
      const token = new URL(link_url).searchParams.get('token')
      const answer = await apiOf(w.chat).post('/password_link', { token, password })
      assert.equal(answer.result, ['short', 'easy'].includes(strength) ? 'error' : 'success', password)
    }
})

test('a long password takes little work, whatever it consists of', () => {
  const surroundings = { email: 'a@example.com', full_name: 'Ann', organization: 'Chat' }
  for (const part of ['a1', 'qwerty ', 'password', '2026', 'ハムレット'])
    assert.notEqual(passwordStrength(`${part.repeat(1000 / part.length)}xyz!`, surroundings, 6), 'short')
})
