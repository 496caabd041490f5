import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf, type Person, type World } from '../../src/testing/index.ts'
import { auditOf, browser, login, opened } from './passkey-browser.ts'

const passwords = ['another horse', 'yet another horse'] as const

/** Sets both passwords at the same moment. Returns the one that was accepted, after it has signed in. */
async function race(w: World, who: Person, more: object) {
  const b = browser(w)
  await b.ask('POST', '/session', login(who))
  if (!('old_password' in more))
    await storeOf(w.chat).write(async ({ db }) => {
      await db.updateTable('user').set({ password_hash: null }).where('id', '=', who.id).execute()
    })
  const answers = await Promise.all(
    passwords.map((new_password) => b.ask('PATCH', '/settings', { new_password, ...more })),
  )
  assert.deepEqual(answers.map(({ msg }) => msg).toSorted(), ['', 'Wrong password!'])
  for (const [i, password] of passwords.entries()) {
    const { result } = await apiOf(w.chat).post('/fetch_api_key', { username: who.email, password })
    assert.equal(result, answers[i]!.result, password)
  }
}

test('of two first passwords at the same moment, the second is rejected', async () => {
  await using w = await opened()
  await race(w, w.people.hamlet, {})
})

test('of two new passwords at the same moment, the second is rejected', async () => {
  await using w = await opened()
  await race(w, w.people.hamlet, { old_password: w.people.hamlet.password })
})

test('a new password of their own is in the audit log, without the password', async () => {
  await using w = await opened()
  const { hamlet } = w.people
  const change = { old_password: hamlet.password, new_password: 'another horse' }
  assert.equal((await hamlet.api.patch('/settings', change)).msg, '')
  const rows = await auditOf(w, 'setPassword')
  const hidden = { password_hash: '(hidden)' }
  assert.deepEqual(
    rows.map(({ actor_id, subject_id, before, after }) => [
      actor_id,
      subject_id,
      JSON.parse(before!),
      JSON.parse(after!),
    ]),
    [[hamlet.id, hamlet.id, hidden, hidden]],
  )
  assert.deepEqual(await auditOf(w, 'updateSettings'), [])
  await hamlet.api.patch('/settings', {
    old_password: 'another horse',
    new_password: 'third horse',
    full_name: 'Prince',
  })
  assert.equal((await auditOf(w, 'setPassword')).length, 2)
  const [settings] = await auditOf(w, 'updateSettings')
  assert.deepEqual(JSON.parse(settings!.after!), { full_name: 'Prince' })
})
