import assert from 'node:assert/strict'
import { test } from 'node:test'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { world } from '../../src/testing/world.ts'

test('changes settings individually and announces only real changes', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const [own, others] = await verifyEvents([hamlet, iago], async () => {
    const params = {
      twenty_four_hour_time: true,
      color_scheme: 1,
      timezone: 'Europe/Copenhagen',
      full_name: 'Prince Hamlet',
    }
    const answer = await hamlet.api.patch('/settings', { ...params, nonsense: 1 })
    assert.deepEqual(answer, {
      status: 200,
      result: 'success',
      msg: '',
      ignored_parameters_unsupported: ['nonsense'],
    })
  })
  const said = (events: typeof own) =>
    events!.map((event) => {
      if (event.type === 'user_settings') return event.property
      return event.type === 'realm_user' && Object.keys(event.person)[1]
    })
  assert.deepEqual(said(own), ['full_name', 'timezone', 'email', 'twenty_four_hour_time'])
  assert.deepEqual(said(others), ['full_name', 'email'])
  await hamlet.api.patch('/settings/notifications', { enable_sounds: false })
  const { user_settings } = await hamlet.api.post('/register', { fetch_event_types: ['user_settings'] })
  assert.equal(user_settings.enable_sounds, false)
})

test('rejects invalid settings', async () => {
  await using w = await world()
  const { api } = w.people.hamlet
  const cases: [Record<string, unknown>, string][] = [
    [{ color_scheme: 9 }, 'Invalid color_scheme'],
    [{ twenty_four_hour_time: 'maybe' }, 'twenty_four_hour_time is not valid JSON'],
    [{ timezone: 'Elsinore/Castle' }, 'timezone is not a recognized time zone'],
    [{ full_name: 'x' }, 'Name too short!'],
    [{ old_password: 'wrong', new_password: 'another one' }, 'Wrong password!'],
  ]
  for (const [params, msg] of cases) {
    const answer = await api.patch('/settings', params)
    assert.equal(answer.status, 400, JSON.stringify(params))
    if (!params.twenty_four_hour_time) assert.equal(answer.msg, msg)
  }
})

test('changing a password requires the old one', async () => {
  await using w = await world()
  const { hamlet } = w.people
  await hamlet.api.patch('/settings', { old_password: hamlet.password, new_password: 'words words' })
  const login = (password: string) => hamlet.api.post('/fetch_api_key', { username: hamlet.email, password })
  assert.equal((await login('words words')).status, 200)
  assert.equal((await login(hamlet.password)).status, 401)
})

test("the last owner can't be demoted or deactivated", async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  assert.equal(
    (await iago.api.patch(`/users/${iago.id}`, { role: 400 })).msg,
    'The owner permission cannot be removed from the only organization owner.',
  )
  const answer = await iago.api.delete('/users/me')
  assert.deepEqual([answer.code, answer.entity], ['CANNOT_DEACTIVATE_LAST_USER', 'organization owner'])
  assert.equal((await hamlet.api.delete(`/users/${iago.id}`)).msg, 'Must be an organization administrator')
})

test('a deactivated user loses access and keeps all data for a return', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  await verifyEvents(
    [iago, cordelia],
    async () => {
      await iago.api.delete(`/users/${hamlet.id}`)
      assert.equal((await hamlet.api.get('/users/me')).status, 401)
      assert.equal((await iago.api.delete(`/users/${hamlet.id}`)).msg, 'User already deactivated')
    },
    { include_subscribers: true },
  )
  await verifyEvents([iago, cordelia], () => iago.api.post(`/users/${hamlet.id}/reactivate`), {
    include_subscribers: true,
  })
  const { subscribers } = await iago.api.get(`/streams/${await w.streamId('general')}/members`)
  assert.ok(subscribers.includes(hamlet.id))
})
