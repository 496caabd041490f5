import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { onePixelPng } from '../fixtures/images.ts'

// Specification, "User record (returned by the users list)": a test for each row.

const theWorld = () => world({ people: { robot: { bot: true }, adele: { role: 'administrator' } } })

async function record(w: World, name: string, params: object = {}, asks: Person = w.people.iago) {
  const { members } = await asks.api.get('/users', { ...params })
  return members.find((member: { full_name: string }) => member.full_name === name)
}

interface Row {
  field: string
  notes: string
  check: (w: World) => Promise<void>
}

const rows: Row[] = [
  {
    field: 'user_id',
    notes: 'integer',
    check: async (w) => assert.equal((await record(w, 'hamlet')).user_id, w.people.hamlet.id),
  },
  {
    field: 'email',
    notes: 'string',
    check: async (w) => assert.equal((await record(w, 'hamlet')).email, 'hamlet@example.com'),
  },
  {
    field: 'full_name',
    notes: 'string',
    check: async (w) => assert.equal((await record(w, 'hamlet')).full_name, 'hamlet'),
  },
  {
    field: 'avatar_url',
    notes: 'null for gravatar users when client_gravatar is true',
    check: async (w) => {
      for (const name of ['hamlet', 'robot']) {
        assert.equal((await record(w, name, { client_gravatar: true })).avatar_url, null)
        assert.equal((await record(w, name)).avatar_url, null, 'true is the default')
        const { avatar_url, email } = await record(w, name, { client_gravatar: false })
        const hash = createHash('md5').update(email.toLowerCase()).digest('hex')
        assert.equal(avatar_url, `https://secure.gravatar.com/avatar/${hash}?d=identicon&version=1`)
      }
      const uploaded = await w.people.hamlet.api.upload('/users/me/avatar', onePixelPng())
      for (const client_gravatar of [true, false])
        assert.equal((await record(w, 'hamlet', { client_gravatar })).avatar_url, uploaded.avatar_url)
    },
  },
  {
    field: 'bot_type',
    notes: 'null for non-bots',
    check: async (w) => {
      assert.equal((await record(w, 'hamlet')).bot_type, null)
      assert.equal((await record(w, 'robot')).bot_type, 1)
    },
  },
  {
    field: 'bot_owner_id',
    notes: 'present for bots',
    check: async (w) => {
      assert.equal((await record(w, 'robot')).bot_owner_id, w.people.iago.id)
      assert.ok(!('bot_owner_id' in (await record(w, 'hamlet'))))
    },
  },
  {
    field: 'date_joined',
    notes: 'ISO 8601 timestamp',
    check: async (w) => assert.equal((await record(w, 'hamlet')).date_joined, '2026-01-01T12:00:00+00:00'),
  },
  {
    field: 'is_active',
    notes: 'boolean',
    check: async (w) => assert.equal((await record(w, 'hamlet')).is_active, true),
  },
  {
    field: 'is_admin',
    notes: 'boolean',
    check: async (w) => {
      assert.equal((await record(w, 'adele')).is_admin, true)
      assert.equal((await record(w, 'iago')).is_admin, true, 'owners are administrators')
      assert.equal((await record(w, 'hamlet')).is_admin, false)
    },
  },
  {
    field: 'is_billing_admin',
    notes: 'boolean',
    check: async (w) => assert.equal((await record(w, 'hamlet')).is_billing_admin, false),
  },
  {
    field: 'is_bot',
    notes: 'boolean',
    check: async (w) => {
      assert.equal((await record(w, 'robot')).is_bot, true)
      assert.equal((await record(w, 'hamlet')).is_bot, false)
    },
  },
  {
    field: 'is_guest',
    notes: 'boolean',
    check: async (w) => {
      assert.equal((await record(w, 'polonius')).is_guest, true)
      assert.equal((await record(w, 'hamlet')).is_guest, false)
    },
  },
  {
    field: 'is_owner',
    notes: 'boolean',
    check: async (w) => {
      assert.equal((await record(w, 'iago')).is_owner, true)
      assert.equal((await record(w, 'adele')).is_owner, false)
    },
  },
  {
    field: 'role',
    notes: 'integer',
    check: async (w) => {
      const roles = await Promise.all(['iago', 'adele', 'hamlet', 'polonius'].map((name) => record(w, name)))
      assert.deepEqual(
        roles.map((member) => member.role),
        [100, 200, 400, 600],
      )
    },
  },
  {
    field: 'timezone',
    notes: 'may be empty',
    check: async (w) => assert.equal((await record(w, 'hamlet')).timezone, ''),
  },
  {
    field: 'profile_data',
    notes: 'present only when custom profile fields are requested; keyed by field id; value and rendered_value',
    check: async (w) => {
      const { iago, hamlet } = w.people
      const { id } = await iago.api.post('/realm/profile_fields', { name: 'Biography', field_type: 2 })
      await hamlet.api.patch('/users/me/profile_data', { data: [{ id, value: 'the *prince*' }] })
      assert.ok(!('profile_data' in (await record(w, 'hamlet'))))
      const asked = { include_custom_profile_fields: true }
      const { profile_data } = await record(w, 'hamlet', asked)
      assert.equal(profile_data[String(id)].value, 'the *prince*')
      assert.equal(typeof profile_data[String(id)].rendered_value, 'string')
      assert.deepEqual((await record(w, 'cordelia', asked)).profile_data, {})
      assert.ok(!('profile_data' in (await record(w, 'robot', asked))), 'each non-bot record carries it')
    },
  },
]

for (const { field, notes, check } of rows) {
  test(`User record | ${field} | ${notes}`, async () => {
    await using w = await theWorld()
    await check(w)
  })
}

test('Get all users | returns every account of the organization in members', async () => {
  await using w = await theWorld()
  const answer = await w.people.hamlet.api.get('/users')
  const names = answer.members.map((member: { full_name: string }) => member.full_name)
  for (const name of ['iago', 'hamlet', 'cordelia', 'polonius', 'robot', 'adele']) assert.ok(names.includes(name), name)
})

test('a separate operation fetches one user', async () => {
  await using w = await theWorld()
  const { hamlet } = w.people
  const expected = await record(w, 'hamlet')
  assert.deepEqual((await hamlet.api.get(`/users/${hamlet.id}`)).user, expected)
  assert.deepEqual((await hamlet.api.get('/users/hamlet%40example.com')).user, expected)
  assert.deepEqual((await hamlet.api.get('/users/9999')).msg, 'No such user')
})
