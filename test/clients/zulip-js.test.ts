import assert from 'node:assert/strict'
import { createRequire } from 'node:module'
import test from 'node:test'
import { createChatServer } from '../../src/http/index.ts'
import { type World, world } from '../../src/testing/index.ts'

// The client that people already use, unchanged, from npm, over a socket.

// biome-ignore lint/suspicious/noExplicitAny: zulip-js comes without types.
type ZulipJs = any
const { fetch, FormData } = globalThis
const connect = createRequire(import.meta.url)('zulip-js') as (config: object) => Promise<ZulipJs>
// It replaces these for the whole process, in which the tests of other files run, too.
Object.assign(globalThis, { fetch, FormData })

async function served(): Promise<{ w: World; realm: string } & AsyncDisposable> {
  const w = await world()
  const server = await createChatServer({ chat: w.chat, port: 0, rateLimit: false })
  return {
    w,
    realm: server.url,
    async [Symbol.asyncDispose]() {
      await server.close()
      await w.chat.close()
    },
  }
}

test('zulip-js signs in with a password and with a key', async () => {
  await using s = await served()
  const { hamlet } = s.w.people
  const byPassword = await connect({ realm: s.realm, username: hamlet.email, password: hamlet.password })
  assert.equal((await byPassword.users.me.getProfile()).email, hamlet.email)
  const byKey = await connect({ realm: s.realm, username: hamlet.email, apiKey: hamlet.key })
  assert.equal((await byKey.users.me.getProfile()).user_id, hamlet.id)
  const wrong = await connect({ realm: s.realm, username: hamlet.email, apiKey: 'wrong' })
  assert.equal((await wrong.users.me.getProfile()).code, 'INVALID_API_KEY')
})

test('zulip-js sends to streams and directly, and receives through its event queue', async () => {
  await using s = await served()
  const { hamlet, cordelia } = s.w.people
  const sender = await connect({ realm: s.realm, username: hamlet.email, apiKey: hamlet.key })
  const receiver = await connect({ realm: s.realm, username: cordelia.email, apiKey: cordelia.key })
  const queue = await receiver.queues.register({ event_types: ['message'] })
  assert.equal(queue.result, 'success', queue.msg)
  const waiting = receiver.events.retrieve({ queue_id: queue.queue_id, last_event_id: queue.last_event_id })
  const sent = await sender.messages.send({ type: 'stream', to: 'general', topic: 'hi', content: 'to be' })
  assert.equal(sent.result, 'success', sent.msg)
  const [received] = (await waiting).events
  assert.deepEqual([received.message.id, received.message.subject, received.message.content], [sent.id, 'hi', 'to be'])
  const direct = await sender.messages.send({ type: 'private', to: [cordelia.email], content: 'or not' })
  assert.equal(direct.result, 'success', direct.msg)
  const next = await receiver.events.retrieve({ queue_id: queue.queue_id, last_event_id: received.id })
  assert.deepEqual(
    next.events.map((event: { message: { id: number } }) => event.message.id),
    [direct.id],
  )
  assert.equal((await receiver.queues.deregister({ queue_id: queue.queue_id })).result, 'success')
})

test('answers every call of zulip-js', async () => {
  await using s = await served()
  const { iago, cordelia } = s.w.people
  const client = await connect({ realm: s.realm, username: iago.email, apiKey: iago.key })
  const { id } = await iago.says('hello')
  const answers: Record<string, { result: string; msg: string }> = {
    'messages.retrieve': await client.messages.retrieve({ anchor: 'newest', num_before: 10, num_after: 0 }),
    'messages.getById': await client.messages.getById({ message_id: id }),
    'reactions.add': await client.reactions.add({ message_id: id, emoji_name: 'tada' }),
    'reactions.remove': await client.reactions.remove({ message_id: id, emoji_name: 'tada' }),
    'streams.retrieve': await client.streams.retrieve(),
    'streams.getStreamId': await client.streams.getStreamId('general'),
    'streams.subscriptions': await client.streams.subscriptions.retrieve(),
    'streams.topics': await client.streams.topics.retrieve({ stream_id: await s.w.streamId('general') }),
    'users.retrieve': await client.users.retrieve(),
    'users.create': await client.users.create({ email: 'new@example.com', full_name: 'new', password: 'long enough' }),
    'users.me.subscriptions.add': await client.users.me.subscriptions.add({
      subscriptions: JSON.stringify([{ name: 'verona' }]),
    }),
    'users.me.subscriptions.remove': await client.users.me.subscriptions.remove({
      subscriptions: JSON.stringify(['verona']),
    }),
    'typing.send': await client.typing.send({ to: [cordelia.id], op: 'start' }),
    'emojis.retrieve': await client.emojis.retrieve(),
    'server.settings': await client.server.settings(),
    'messages.deleteById': await client.messages.deleteById({ message_id: id }),
  }
  for (const [call, { result, msg }] of Object.entries(answers)) assert.equal(result, 'success', `${call}: ${msg}`)
})
