// cspell:disable
import assert from 'node:assert/strict'
import test from 'node:test'
import { hashPassword } from '../../src/core/accounts/passwords.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { type Answer, apiOf, world } from '../../src/testing/index.ts'

const EASY = /easy to guess\. Choose another one/

test('rejects passwords that programs guess first, however they are decorated', async () => {
  await using w = await world()
  const { iago } = w.people
  const create = (password: string, n: number) =>
    iago.api.post('/users', { email: `new${n}@example.com`, full_name: `New person ${n}`, password })
  for (const [n, password] of [
    ...['123456', 'password', 'PASSWORD', 'Passw0rd!', 'iloveyou2026', '!!letmein!!', 'ｐａｓｓｗｏｒｄ'],
    ...['qwerty789', 'abcdef', 'zyxwvut', '1qaz2wsx', 'aaaaaaa', 'abcabcabc', '20111986', '1234567890'],
  ].entries()) {
    const answer = await create(password, n)
    assert.match(answer.msg, EASY, password)
  }
  for (const [n, password] of ['correct horse', 'passwords are hard', 'tr0ub4dor&3', '4815162343', 'ölmühle'].entries())
    assert.equal((await create(password, n)).msg, '', password)
})

test('rejects a password made of the address, the name or the organization, wherever a password is set', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const refused = (answer: Answer, field: string) => {
    assert.match(answer.msg, EASY)
    assert.deepEqual(Object.keys(answer.errors), [field])
  }
  const change = (new_password: string) =>
    hamlet.api.patch('/settings', { old_password: hamlet.password, new_password })
  for (const password of ['HamletElsinore', 'hamlet@example.com', 'Elsinore, Hamlet 1', 'xHamlet9'])
    refused(await change(password), 'new_password')
  const person = { email: 'fortinbras@example.com', full_name: 'Prince Fortinbras' }
  for (const password of ['fortinbras!', 'PrinceFortinbras'])
    refused(await iago.api.post('/users', { ...person, password }), 'password')
  const { invite_link } = await iago.api.post('/invites/multiuse', {})
  const token = new URL(invite_link).searchParams.get('token')!
  refused(await apiOf(w.chat).post('/invitation', { token, ...person, password: 'fortinbras 1' }), 'password')
  const { link_url } = await iago.api.post(`/users/${hamlet.id}/password_link`)
  const link = new URL(link_url).searchParams.get('token')!
  refused(await apiOf(w.chat).post('/password_link', { token: link, password: 'Hamlet@Elsinore' }), 'password')
  assert.equal((await apiOf(w.chat).post('/password_link', { token: link, password: 'hamlet of denmark' })).msg, '')
})

test('a password from before that is easy to guess still signs in', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const password_hash = await hashPassword('password', 4)
  await storeOf(w.chat).write(({ db }) =>
    db.updateTable('user').set({ password_hash }).where('id', '=', hamlet.id).execute(),
  )
  const answer = await apiOf(w.chat).post('/fetch_api_key', { username: hamlet.email, password: 'password' })
  assert.equal(answer.msg, '')
})
