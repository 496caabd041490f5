import assert from 'node:assert/strict'
import test from 'node:test'
import { apiOf, type World, world } from '../../src/testing/index.ts'

type Api = ReturnType<typeof apiOf>
const settingsOf = async (api: Api, word = 'user_settings') =>
  (await api.post('/register', { fetch_event_types: [word], client_capabilities: { user_settings_object: true } }))[
    word
  ]
const showsDayHours = async (api: Api): Promise<boolean> => (await settingsOf(api)).twenty_four_hour_time

async function joined(w: World, name: string): Promise<Api> {
  const account = { email: `${name}@example.com`, full_name: name, password: 'alas poor' }
  await w.people.iago.api.post('/users', account)
  const { api_key } = await apiOf(w.chat).post('/fetch_api_key', {
    username: account.email,
    password: account.password,
  })
  return apiOf(w.chat, { email: account.email, key: api_key })
}
/** The changes of settings since the last call, as an account's clients receive them. */
const changes = async (w: World) =>
  (await w.events()).flatMap((event) =>
    event.type === 'user_settings' || event.type === 'realm_user_settings_defaults'
      ? [[event.property, event.value]]
      : [],
  )

test('times follow the language of an account until it chooses a format', async () => {
  await using w = await world()
  const { api } = w.people.hamlet
  assert.equal(await showsDayHours(api), false)
  await w.events()
  await api.patch('/settings', { default_language: 'de' })
  assert.deepEqual(await changes(w), [
    ['default_language', 'de'],
    ['twenty_four_hour_time', true],
  ])
  assert.equal(await showsDayHours(api), true)
  await api.patch('/settings', { default_language: 'en' })
  assert.equal(await showsDayHours(api), false)

  // A choice stays, even if it is what the language has.
  await api.patch('/settings', { twenty_four_hour_time: false })
  await api.patch('/settings', { default_language: 'fr' })
  assert.equal(await showsDayHours(api), false)
})

test("new accounts write times as the organization's language does, unless administrators choose a format", async () => {
  await using w = await world()
  const { api } = w.people.iago
  const byDefault = async () => (await settingsOf(api, 'realm_user_settings_defaults')).twenty_four_hour_time
  assert.equal(await byDefault(), false)
  await w.events()
  await api.patch('/realm', { default_language: 'de' })
  assert.deepEqual(await changes(w), [['twenty_four_hour_time', true]])
  assert.equal(await byDefault(), true)
  assert.equal(await showsDayHours(await joined(w, 'ann')), true)
  // Existing accounts have another language.
  assert.equal(await showsDayHours(w.people.hamlet.api), false)

  await api.patch('/realm/user_settings_defaults', { twenty_four_hour_time: false })
  assert.equal(await byDefault(), false)
  assert.equal(await showsDayHours(await joined(w, 'bea')), false)
  await api.patch('/realm', { default_language: 'fr' })
  assert.equal(await byDefault(), false)
})
