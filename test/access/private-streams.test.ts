import assert from 'node:assert/strict'
import test from 'node:test'
import { type Answer, type Person, type World, world } from '../../src/testing/index.ts'

// Attack tests: administering a private stream is no way into it.

const SECRET = 'elephantine'

/**
 * A private stream with shared history; viola, an administrator, and iago, the owner of the organization, are not
 * subscribed.
 */
async function scene(): Promise<World> {
  const w = await world({
    people: { viola: { role: 'administrator' }, horatio: {} },
    streams: { den: { private: true, sharedHistory: true, members: ['hamlet'] } },
  })
  await w.people.hamlet.says(SECRET, { stream: 'den', topic: 'x' })
  return w
}

const only = ({ id }: Person) => ({ new: { direct_members: [id], direct_subgroups: [] } })
const join = ({ api }: Person, who?: Person) =>
  api.post('/users/me/subscriptions', { subscriptions: [{ name: 'den' }], ...(who && { principals: [who.id] }) })

async function reads(w: World, { api }: Person): Promise<boolean> {
  const window = { anchor: 'newest', num_before: 100, num_after: 0 }
  const answers = [
    await api.get('/messages', window),
    await api.get('/messages', { ...window, narrow: [['channel', await w.streamId('den')]] }),
    await api.get('/messages', { ...window, narrow: [['search', SECRET]] }),
  ]
  return JSON.stringify(answers).includes(`${SECRET}<`)
}

const refused = (answer: Answer, msg: RegExp) => {
  assert.equal(answer.status, 400)
  assert.match(answer.msg, msg)
}

/** Every setting of a stream that could give its administrator, or a user of their choice, access. */
const ways = ['can_subscribe_group', 'can_add_subscribers_group'] as const
for (const setting of ways) {
  for (const role of ['viola', 'iago'] as const) {
    test(`${role} outside a private stream can't grant themselves ${setting}`, async () => {
      const w = await scene()
      await using _ = w
      const who = w.person(role)
      const den = await w.streamId('den')
      const change = await who.api.patch(`/streams/${den}`, { [setting]: only(who) })
      refused(change, /Channel content access is required/)
      refused(await who.api.patch(`/streams/${den}`, { [setting]: only(w.person('horatio')) }), /content access/)
      refused(await join(who), /Unable to access/)
      refused(await join(w.person('horatio')), /Unable to access/)
      assert.equal(await reads(w, who), false)
      const { stream } = await who.api.get(`/streams/${den}`)
      assert.notDeepEqual(stream[setting], only(who).new)
    })
  }
}

test('granting oneself administration of a private stream gives no access to it', async () => {
  const w = await scene()
  await using _ = w
  const viola = w.person('viola')
  const den = await w.streamId('den')
  const change = { can_administer_channel_group: only(viola), description: 'mine' }
  assert.equal((await viola.api.patch(`/streams/${den}`, change)).status, 200)
  refused(await join(viola), /Unable to access/)
  refused(await join(viola, w.person('horatio')), /Unable to access/)
  for (const setting of ways) refused(await viola.api.patch(`/streams/${den}`, { [setting]: only(viola) }), /content/)
  assert.equal(await reads(w, viola), false)
})

test('an outsider who administers a private stream can change it but not read it', async () => {
  const w = await scene()
  await using _ = w
  const horatio = w.person('horatio')
  const den = await w.streamId('den')
  await w.person('viola').api.patch(`/streams/${den}`, { can_administer_channel_group: only(horatio) })
  refused(await join(horatio), /Unable to access/)
  for (const setting of ways)
    assert.equal((await horatio.api.patch(`/streams/${den}`, { [setting]: only(horatio) })).status, 400)
  assert.equal(await reads(w, horatio), false)
})

test('only readers of a private stream can make it public or web-public', async () => {
  const w = await scene()
  await using _ = w
  const den = await w.streamId('den')
  for (const who of [w.person('viola'), w.people.iago]) {
    for (const change of [{ is_private: false }, { is_web_public: true }, { history_public_to_subscribers: false }]) {
      refused(await who.api.patch(`/streams/${den}`, change), /Channel content access is required/)
    }
    assert.equal(await reads(w, who), false)
  }
})

test('members of a private stream can let others in through either setting', async () => {
  const w = await scene()
  await using _ = w
  const { iago, hamlet } = w.people
  const [viola, horatio] = [w.person('viola'), w.person('horatio')]
  const den = await w.streamId('den')
  await iago.api.patch(`/streams/${den}`, { can_administer_channel_group: only(hamlet) })
  assert.equal((await hamlet.api.patch(`/streams/${den}`, { can_subscribe_group: only(horatio) })).status, 200)
  assert.equal((await join(horatio)).status, 200)
  assert.equal(await reads(w, horatio), true)
  await hamlet.api.patch(`/streams/${den}`, { can_add_subscribers_group: only(viola) })
  assert.equal((await join(viola)).status, 200)
  assert.equal(await reads(w, viola), true)
})

test("rejects organization settings that send server messages to a stream their author can't read", async () => {
  const w = await scene()
  await using _ = w
  const viola = w.person('viola')
  const den = await w.streamId('den')
  const settings = ['new_stream_announcements_stream_id', 'signup_announcements_stream_id']
  for (const setting of settings) {
    refused(await viola.api.patch('/realm', { [setting]: den }), /Invalid channel ID/)
    refused(await viola.api.patch('/realm', { [setting]: 999_999 }), /Invalid channel ID/)
  }
  // After the stream is archived, nothing is announced in it.
  const general = await w.streamId('general')
  assert.equal((await viola.api.patch('/realm', { [settings[0]!]: general })).status, 200)
  assert.equal((await viola.api.delete(`/streams/${general}`)).status, 200)
  refused(await viola.api.patch('/realm', { [settings[1]!]: general }), /Invalid channel ID/)
  const announced = { subscriptions: [{ name: 'fresh' }], announce: true }
  assert.equal((await viola.api.post('/users/me/subscriptions', announced)).status, 200)
  const { realm_new_stream_announcements_stream_id } = await viola.api.post('/register', {
    fetch_event_types: ['realm'],
  })
  assert.equal(realm_new_stream_announcements_stream_id, -1)
})
