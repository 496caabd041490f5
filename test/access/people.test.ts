import assert from 'node:assert/strict'
import test from 'node:test'
import { subscribe } from '../../src/core/streams/subscriptions/subscribe.ts'
import { unsubscribe } from '../../src/core/streams/subscriptions/unsubscribe.ts'
import { type Answer, type Person, type World, world } from '../../src/testing/index.ts'
import { ofType, verifyEvents } from '../../src/testing/verify-events.ts'
import { addCrowd } from '../crowd.ts'
import { listen } from '../messages/listen.ts'
import { roleId } from '../settings/proofs.ts'

// Attack tests: what a guest learns of people they share nothing with, in an organization that limits guests.

/** polonius shares a stream with ophelia, a conversation with laertes, and nothing with hamlet and cordelia. */
async function scene(): Promise<World> {
  const w = await world({
    people: { ophelia: {}, laertes: {}, bob: { bot: true } },
    streams: { garden: { members: ['iago', 'ophelia', 'polonius'] }, hall: { members: ['iago', 'hamlet'] } },
  })
  await w.person('laertes').says('hello', { people: [w.people.polonius] })
  await w.people.iago.api.patch('/realm', { can_access_all_users_group: { new: await roleId(w, 'role:members') } })
  return w
}

const known = ['iago', 'ophelia', 'laertes', 'polonius', 'bob']
const unknown = ['hamlet', 'cordelia']

/** Every way to learn of a user; each answers alike for one who may not be known, and otherwise succeeds. */
const ways: Readonly<Record<string, (guest: Person, of: Person) => Promise<Answer>>> = {
  'get them': ({ api }, { id }) => api.get(`/users/${id}`),
  'get them by e-mail': ({ api }, { email }) => api.get(`/users/${email}`),
  'get their presence': ({ api }, { id }) => api.get(`/users/${id}/presence`),
  'get their presence by e-mail': ({ api }, { email }) => api.get(`/users/${email}/presence`),
  'get their status': ({ api }, { id }) => api.get(`/users/${id}/status`),
  'write to them': ({ api }, { id }) => api.post('/messages', { type: 'direct', to: [id], content: 'x' }),
  'write to their e-mail': ({ api }, { email }) => api.post('/messages', { type: 'direct', to: [email], content: 'x' }),
  'schedule for them': ({ api }, { id }) =>
    api.post('/scheduled_messages', {
      type: 'direct',
      to: [id],
      content: 'x',
      scheduled_delivery_timestamp: 4_000_000_000,
    }),
  'type to them': ({ api }, { id }) => api.post('/typing', { op: 'start', to: [id] }),
  'mute them': ({ api }, { id }) => api.post(`/users/me/muted_users/${id}`),
  'read what they wrote': ({ api }, { id }) =>
    api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['sender', id]] }),
  'read by e-mail what they wrote': ({ api }, { email }) =>
    api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['sender', email]] }),
  'read what was between them': ({ api }, { id }) =>
    api.get('/messages', { anchor: 'newest', num_before: 1, num_after: 0, narrow: [['dm', [id]]] }),
}

for (const [what, ask] of Object.entries(ways)) {
  test(`a limited guest can ${what} only with people they share a stream or conversation with`, async () => {
    await using w = await scene()
    const { polonius, iago } = w.people
    for (const name of known) await w.person(name).api.post('/users/me/presence', { status: 'active' })
    for (const name of [...known, ...unknown]) {
      const self = name === 'polonius' && what === 'mute them'
      if (self || (name === 'bob' && what.includes('presence'))) continue
      const { result, msg } = await ask(polonius, w.person(name))
      assert.equal(result, known.includes(name) ? 'success' : 'error', `${name}: ${msg}`)
    }
    assert.notEqual((await ask(iago, w.people.hamlet)).msg, 'Insufficient permission')
  })
}

test("hides users from a limited guest's lists", async () => {
  await using w = await scene()
  const { polonius, hamlet, iago } = w.people
  for (const name of [...known, ...unknown]) {
    const { api } = w.person(name)
    await api.post('/users/me/presence', { status: 'active' })
    await api.post('/users/me/status', { status_text: 'here' })
  }
  const ids = known.map((name) => w.person(name).id).sort((a, b) => a - b)
  const listed = async (who: Person): Promise<number[]> =>
    (await who.api.get('/users')).members.map((one: { user_id: number }) => one.user_id)
  assert.deepEqual(await listed(polonius), ids)
  assert.equal((await listed(hamlet)).length, known.length + unknown.length)
  const { presences } = await polonius.api.get('/realm/presence')
  assert.ok(!('hamlet@example.com' in presences) && 'iago@example.com' in presences)
  const complete = await polonius.api.post('/register')
  const state = await polonius.api.post('/register', { client_capabilities: { user_list_incomplete: true } })
  assert.deepEqual(Object.keys(state.user_status).map(Number), ids)
  assert.equal(JSON.stringify(state).includes('hamlet@'), false)
  assert.equal(JSON.stringify(complete).includes('hamlet@'), false)
  const names = (users: { full_name: string }[]) => users.map((user) => user.full_name).sort()
  assert.deepEqual(names(state.realm_users), [...known].sort())
  assert.deepEqual(names(complete.realm_users), ['Unknown user', 'Unknown user', ...known.toSorted()])
  assert.equal((await iago.api.post('/register')).realm_users.length, known.length + unknown.length)
})

test('shows hidden senders and reacting users as unknown users', async () => {
  await using w = await scene()
  const { polonius, hamlet, iago } = w.people
  const nextEvents = await listen(polonius, ['message', 'reaction', 'typing'])
  const { id } = await hamlet.says('from outside', { stream: 'garden', topic: 'x' })
  await hamlet.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  const stream_id = await w.streamId('garden')
  await hamlet.api.post('/typing', { op: 'start', type: 'stream', stream_id, topic: 'x' })
  await iago.says('from inside', { stream: 'garden', topic: 'x' })
  const [outside, reaction, inside, ...more] = await nextEvents()
  assert.deepEqual(more, [])
  assert.equal(outside.message.sender_full_name, 'Unknown user')
  assert.equal(outside.message.sender_email, `user${hamlet.id}@localhost`)
  assert.deepEqual(['user' in reaction, reaction.user_id], [false, hamlet.id])
  assert.equal(inside.message.sender_full_name, 'iago')
  const { message } = await polonius.api.get(`/messages/${id}`)
  assert.deepEqual([message.sender_full_name, message.sender_id], ['Unknown user', hamlet.id])
  assert.equal((await iago.api.get(`/messages/${id}`)).message.sender_full_name, 'hamlet')
  const mention = await polonius.api.post('/messages/render', { content: '@**hamlet** @**iago**' })
  assert.equal(mention.rendered.includes(`data-user-id="${hamlet.id}"`), false)
  assert.ok(mention.rendered.includes(`data-user-id="${iago.id}"`))
})

test('sends events to a limited guest about users who become visible or invisible', async () => {
  await using w = await scene()
  const { polonius, hamlet, cordelia } = w.people
  await hamlet.api.post('/users/me/status', { status_text: 'thinking' })
  const changesBy = async (act: () => Promise<unknown>) => {
    const [received] = await verifyEvents([polonius], act, { client_capabilities: { user_list_incomplete: true } })
    return ofType(received!, 'realm_user').map((event) => [event.op, event.person.user_id])
  }
  const join = () => subscribe(hamlet, { subscriptions: [{ name: 'garden' }] })
  assert.deepEqual(await changesBy(join), [['add', hamlet.id]])
  assert.deepEqual(await changesBy(() => unsubscribe(hamlet, { subscriptions: ['garden'] })), [['remove', hamlet.id]])
  const others = await changesBy(() => cordelia.says('you two', { people: [hamlet, polonius] }))
  assert.deepEqual(
    others.map(([op]) => op),
    ['add', 'add'],
  )
  assert.deepEqual(await changesBy(() => unsubscribe(polonius, { subscriptions: ['garden'] })), [
    ['remove', w.people.iago.id],
    ['remove', w.person('ophelia').id],
  ])
})

test('ends the queue of a limited guest who gains access to very many users', async () => {
  await using w = await scene()
  const { polonius, iago } = w.people
  await addCrowd(iago, 201)
  const { queue_id } = await polonius.api.post('/register')
  const members = await iago.db.selectFrom('user').select('id').where('id', '>', w.person('bob').id).execute()
  const principals = members.map((member) => member.id)
  await subscribe(iago, { subscriptions: [{ name: 'garden' }], principals })
  const { code } = await polonius.api.get('/events', { queue_id, dont_block: true })
  assert.equal(code, 'BAD_EVENT_QUEUE_ID')
  assert.ok((await polonius.api.get('/users')).members.length > 200)
})

test('shows an address, in every place and event, only to the audience its owner chose', async () => {
  await using w = await world({ people: { adam: { role: 'administrator' }, mona: { role: 'moderator' } } })
  const { hamlet } = w.people
  const everybody = ['iago', 'adam', 'mona', 'cordelia', 'polonius'].map((name) => w.person(name))
  const seeing: readonly [number, readonly string[]][] = [
    [3, ['iago', 'adam']],
    [5, ['iago', 'adam', 'mona']],
    [2, ['iago', 'adam', 'mona', 'cordelia']],
    [4, []],
    [1, ['iago', 'adam', 'mona', 'cordelia', 'polonius']],
  ]
  for (const [visibility, names] of seeing) {
    const received = await verifyEvents([...everybody, hamlet], () =>
      hamlet.api.patch('/settings', { email_address_visibility: visibility }),
    )
    await hamlet.says('words')
    for (const [i, who] of everybody.entries()) {
      const sees = names.includes(who.user.full_name)
      const { user } = await who.api.get(`/users/${hamlet.id}`)
      assert.equal(user.delivery_email, sees ? hamlet.email : null)
      assert.equal(user.email, visibility === 1 ? hamlet.email : `user${hamlet.id}@localhost`)
      const found = await who.api.get(`/users/${hamlet.email}`)
      assert.equal(found.status, sees ? 200 : 400)
      assert.equal((await who.api.get(`/users/${user.email}`)).status, 200)
      const events = JSON.stringify(received[i])
      assert.equal(events.includes(hamlet.email), sees, `${who.user.full_name} ${visibility} ${events}`)
      if (sees) continue
      const window = { anchor: 'newest', num_before: 10, num_after: 0 }
      const everything = [
        await who.api.get('/users'),
        await who.api.post('/register'),
        await who.api.get('/messages', window),
        await who.api.get('/realm/presence'),
      ]
      assert.equal(JSON.stringify(everything).includes(hamlet.email), false, who.user.full_name)
    }
  }
})

test('signs in with the new address and no longer with the old one', async () => {
  await using w = await world()
  const { hamlet, iago, cordelia } = w.people
  const [received] = await verifyEvents([cordelia], () =>
    hamlet.api.patch('/settings', { email: 'prince@example.com' }),
  )
  assert.deepEqual(
    ofType(received!, 'realm_user').map((event) => event.person),
    [
      { user_id: hamlet.id, delivery_email: 'prince@example.com' },
      { user_id: hamlet.id, new_email: 'prince@example.com' },
      // A Gravatar belongs to an address.
      { user_id: hamlet.id, avatar_source: 'G', avatar_url: null, avatar_url_medium: null, avatar_version: 1 },
    ],
  )
  const key = (username: string) => hamlet.api.post('/fetch_api_key', { username, password: hamlet.password })
  assert.equal((await key('hamlet@example.com')).code, 'AUTHENTICATION_FAILED')
  assert.equal((await key('prince@example.com')).email, 'prince@example.com')
  assert.equal((await hamlet.api.get('/users/me')).status, 401)
  const taken = await iago.api.patch(`/users/${cordelia.id}`, { new_email: 'Prince@example.com' })
  assert.equal(taken.msg, "Email 'Prince@example.com' already in use")
  assert.equal((await iago.api.patch(`/users/${cordelia.id}`, { new_email: 'cordy@example.com' })).status, 200)
  assert.equal((await cordelia.api.patch(`/users/${hamlet.id}`, { new_email: 'x@example.com' })).status, 401)
})
