import assert from 'node:assert/strict'
import test from 'node:test'
import { createApp } from '../../src/http/app.ts'
import { type Answer, type World, world } from '../../src/testing/index.ts'

// What the reference answers where something cannot be done; where it says "channel", the specification says "stream".

type Params = Readonly<Record<string, unknown>>

interface Refusal {
  ask(w: World): Promise<Answer>
  status?: number
  code?: string
  msg: string
  /** What else the answer has. */
  more?: object
}

const settings = (params: Params) => (w: World) => w.people.hamlet.api.patch('/settings', params)
const send = (params: Params) => (w: World) => w.people.hamlet.api.post('/messages', { content: 'x', ...params })
const path = async (w: World, stream: string) => `/streams/${await w.streamId(stream)}`
const group = async (w: World, name: string, more: object = {}): Promise<number> =>
  (await w.people.iago.api.post('/user_groups/create', { name, description: '', members: [], ...more })).group_id

/** A request with these credentials, or none. */
const signedIn =
  (credentials?: string) =>
  async (w: World): Promise<Answer> => {
    const headers = credentials ? { authorization: `Basic ${Buffer.from(credentials).toString('base64')}` } : undefined
    const request = new Request('http://localhost/api/v1/users', headers && { headers })
    const response = await createApp({ chat: w.chat }).fetch(request)
    assert.equal(response.headers.get('www-authenticate'), 'Basic realm="zulip"')
    return { status: response.status, ...((await response.json()) as { result: 'error'; msg: string }) }
  }

const table: Readonly<Record<string, Refusal>> = {
  'no credentials': {
    ask: signedIn(),
    status: 401,
    code: 'UNAUTHORIZED',
    msg: 'Not logged in: API authentication or user session required',
  },
  'a key that cannot be one': {
    ask: signedIn('iago@example.com:abc'),
    status: 401,
    code: 'INVALID_API_KEY',
    msg: 'Malformed API key',
  },
  'a key of nobody': {
    ask: signedIn(`iago@example.com:${'a'.repeat(32)}`),
    status: 401,
    code: 'INVALID_API_KEY',
    msg: 'Invalid API key',
  },
  'a value that is not JSON': {
    ask: (w) => w.people.hamlet.api.post('/messages/flags', { messages: '[1', op: 'add', flag: 'read' }),
    msg: 'Argument "messages" is not valid JSON.',
  },
  'an unknown type of message': { ask: send({ type: 'foo', to: 'general', topic: 'x' }), msg: 'Invalid type' },
  'an unknown operation on a flag': {
    ask: (w) => w.people.hamlet.api.post('/messages/flags', { messages: [1], op: 'foo', flag: 'read' }),
    msg: "Invalid message flag operation: 'foo'",
  },
  // The reference tells guests of streams they are not in; here they do not learn that there is one.
  'a guest who posts where they are not': {
    ask: (w) => w.people.polonius.api.post('/messages', { type: 'stream', to: 'rome', topic: 'x', content: 'x' }),
    code: 'STREAM_DOES_NOT_EXIST',
    msg: "Stream 'rome' does not exist",
    more: { stream: 'rome' },
  },
  'a principal who is nobody': {
    ask: (w) =>
      w.people.hamlet.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'rome' }], principals: [999] }),
    status: 403,
    code: 'UNAUTHORIZED_PRINCIPAL',
    msg: "User not authorized to execute queries on behalf of '999'",
    more: { principal: '999' },
  },
  'joining a private stream': {
    ask: (w) => w.people.hamlet.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'secret' }] }),
    msg: 'Unable to access stream (secret).',
  },
  'removing others without the right': {
    ask: (w) =>
      w.people.hamlet.api.delete('/users/me/subscriptions', {
        subscriptions: ['rome'],
        principals: [w.people.iago.id],
      }),
    msg: 'Insufficient permission',
  },
  'leaving a stream that is none': {
    ask: (w) => w.people.hamlet.api.delete('/users/me/subscriptions', { subscriptions: ['nope'] }),
    code: 'STREAM_DOES_NOT_EXIST',
    msg: "Stream 'nope' does not exist",
    more: { stream: 'nope' },
  },
  'an empty name of a stream': {
    ask: async (w) => w.people.iago.api.patch(await path(w, 'rome'), { new_name: '' }),
    msg: "Stream name can't be empty.",
  },
  'an unknown property of a subscription': {
    ask: async (w) => {
      const change = { stream_id: await w.streamId('rome'), property: 'foo', value: true }
      return w.people.iago.api.post('/users/me/subscriptions/properties', { subscription_data: [change] })
    },
    msg: 'Unknown subscription property: foo',
  },
  "changing a stream that is another's": {
    ask: async (w) => w.people.hamlet.api.patch(await path(w, 'rome'), { new_name: 'x' }),
    code: 'CANNOT_ADMINISTER_CHANNEL',
    msg: 'You do not have permission to administer this channel.',
  },
  "changing a group that is another's": {
    ask: async (w) => w.people.hamlet.api.patch(`/user_groups/${await group(w, 'g1')}`, { name: 'x' }),
    msg: 'Insufficient permission',
  },
  'a subgroup that is none': {
    ask: async (w) => w.people.iago.api.post(`/user_groups/${await group(w, 'g1')}/subgroups`, { add: [999] }),
    msg: 'Invalid user group ID: 999',
  },
  'changing a system group': {
    ask: (w) => w.people.iago.api.patch('/user_groups/3', { name: 'x' }),
    msg: 'Insufficient permission',
  },
  'deactivating a group in use': {
    ask: async (w) => {
      const inner = await group(w, 'g1')
      await group(w, 'g2', { subgroups: [inner] })
      return w.people.iago.api.post(`/user_groups/${inner}/deactivate`)
    },
    code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
    msg: 'Cannot deactivate user group in use.',
    more: { objections: [{ type: 'subgroup', supergroup_ids: [10] }] },
  },
  'removing an emoji that is none': {
    ask: (w) => w.people.iago.api.delete('/realm/emoji/none'),
    status: 404,
    msg: "Emoji 'none' does not exist",
  },
  'an emoji without a file': {
    ask: (w) => w.people.iago.api.post('/realm/emoji/q'),
    msg: 'You must upload exactly one file.',
  },
  'an emoji of a name that cannot be one, without a file': {
    ask: (w) => w.people.iago.api.post(`/realm/emoji/${encodeURIComponent('Q!')}`),
    msg: 'Invalid characters in emoji name',
  },
  'editing after the time for it': {
    ask: async (w) => {
      const { id } = await w.people.hamlet.says('x')
      w.clock.advance(3_600_000)
      return w.people.hamlet.api.patch(`/messages/${id}`, { content: 'y' })
    },
    msg: 'The time limit for editing this message has passed',
  },
  'making an account without the right': {
    ask: (w) => w.people.hamlet.api.post('/users', { email: 'x@y.z', full_name: 'X Y', password: 'correct horse' }),
    code: 'UNAUTHORIZED_PRINCIPAL',
    msg: 'Must be an organization administrator',
  },
  'making an account of no address': {
    ask: (w) => w.people.iago.api.post('/users', { email: 'xy', full_name: 'X Y', password: 'correct horse' }),
    msg: 'Bad name or username',
  },
  // The reference wants two characters; there are names of one.
  'a name too short': { ask: settings({ full_name: 'x' }), msg: 'Name too short!' },
  'an unknown language': { ask: settings({ default_language: 'zz' }), msg: 'Invalid default_language' },
  'an unknown sound': { ask: settings({ notification_sound: 'x' }), msg: "Invalid notification sound 'x'" },
  'a topic that is too long': {
    ask: send({ type: 'stream', to: 'general', topic: 'x'.repeat(61) }),
    msg: 'Topic is too long: at most 60 characters',
  },
  'messages by id and around an anchor': {
    ask: (w) => w.people.hamlet.api.get('/messages', { message_ids: [1], anchor: 1, num_before: 0, num_after: 0 }),
    msg: 'Unsupported parameter combination: num_before, num_after, message_ids, include_anchor, anchor',
    more: { parameters: 'num_before, num_after, message_ids, include_anchor, anchor' },
  },
  'a web-public stream': {
    ask: async (w) => w.people.iago.api.patch(await path(w, 'rome'), { is_web_public: true }),
    msg: 'Web-public channels are not enabled.',
  },
  'a web-public stream of somebody without the right': {
    async ask(w) {
      await w.people.iago.api.patch('/realm', { enable_spectator_access: true })
      return w.person('viola').api.patch(await path(w, 'rome'), { is_web_public: true })
    },
    msg: 'Insufficient permission',
  },
  'retention set by an administrator': {
    ask: async (w) => w.person('viola').api.patch(await path(w, 'rome'), { message_retention_days: 5 }),
    code: 'UNAUTHORIZED_PRINCIPAL',
    msg: 'Must be an organization owner',
  },
}

for (const [what, { ask, status = 400, code = 'BAD_REQUEST', msg, more = {} }] of Object.entries(table)) {
  test(`rejects like upstream: ${what}`, async () => {
    await using w = await world({
      people: { viola: { role: 'administrator' } },
      streams: { secret: { private: true }, rome: {} },
    })
    assert.deepEqual(await ask(w), { status, result: 'error', msg, code, ...more })
  })
}
