import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf, type Person, type World, world } from '../../src/testing/index.ts'
import { browser, login, ORIGIN } from './passkey-browser.ts'

/** Hashing takes long enough for the sign-out to be first. */
const opened = () => world({ chat: { publicUrl: ORIGIN, passwordCost: 12 } })

/** A browser that somebody else has, in which a person without a password has just signed in. */
async function thiefOf(w: World, who: Person) {
  const thief = browser(w)
  await thief.ask('POST', '/session', login(who))
  await storeOf(w.chat).write(async ({ db }) => {
    await db.updateTable('user').set({ password_hash: null }).where('id', '=', who.id).execute()
  })
  return thief
}

test('a first password that is under way when its session is signed out is not set', async () => {
  await using w = await opened()
  const { hamlet } = w.people
  const thief = await thiefOf(w, hamlet)
  const setting = thief.ask('PATCH', '/settings', { new_password: 'another horse' })
  assert.equal((await hamlet.api.delete('/users/me/api_keys')).msg, '')
  assert.equal((await setting).status, 401)
  const again = await apiOf(w.chat).post('/fetch_api_key', { username: hamlet.email, password: 'another horse' })
  assert.equal(again.code, 'AUTHENTICATION_FAILED')
})
