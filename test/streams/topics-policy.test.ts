import assert from 'node:assert/strict'
import test from 'node:test'
import { type Answer, type Person, type World, world } from '../../src/testing/index.ts'
import { topicOf } from '../messages/notices/read.ts'
import { outcome, roleId } from '../settings/proofs.ts'

const NO_GENERAL_CHAT = 'Sending messages to the general chat is not allowed in this channel.'
const ONLY_GENERAL_CHAT = 'Only the general chat topic is allowed in this channel.'
const NAMED_TOPICS =
  'To enable this configuration, all messages in this channel must be in the general chat topic. Consider renaming or deleting other topics.'

const hall = () => world({ streams: { hall: { members: ['iago', 'hamlet'] } } })
const choose = async (w: World, topics_policy: string, who: Person = w.people.iago) =>
  outcome(await who.api.patch(`/streams/${await w.streamId('hall')}`, { topics_policy }))
const send = (who: Person, topic: string, more: object = {}): Promise<Answer> =>
  who.api.post('/messages', { type: 'stream', to: 'hall', topic, content: 'x', ...more })

test("a channel's own policy wins over the organization's", async () => {
  await using w = await hall()
  const { iago, hamlet } = w.people
  const outcomes = async () => [outcome(await send(hamlet, '')), outcome(await send(hamlet, 'plot'))]
  assert.deepEqual(await outcomes(), ['ok', 'ok'])
  await iago.api.patch('/realm', { topics_policy: 'disable_empty_topic' })
  assert.deepEqual(await outcomes(), [NO_GENERAL_CHAT, 'ok'])
  await choose(w, 'allow_empty_topic')
  assert.deepEqual(await outcomes(), ['ok', 'ok'])
  await iago.api.patch('/realm', { topics_policy: 'allow_empty_topic' })
  await choose(w, 'disable_empty_topic')
  assert.deepEqual(await outcomes(), [NO_GENERAL_CHAT, 'ok'])
  await choose(w, 'inherit')
  assert.deepEqual(await outcomes(), ['ok', 'ok'])
})

test('a channel with only general chat admits nothing else, in whichever way it comes', async () => {
  await using w = await hall()
  const { iago, hamlet } = w.people
  const { id: plot } = await hamlet.says('x', { stream: 'hall', topic: 'plot' })
  const refusal = await iago.api.patch(`/streams/${await w.streamId('hall')}`, { topics_policy: 'empty_topic_only' })
  const { status, code, msg, empty_topic_display_name } = refusal
  assert.deepEqual([status, code, msg, empty_topic_display_name], [400, 'BAD_REQUEST', NAMED_TOPICS, 'general chat'])
  assert.equal(outcome(await hamlet.api.patch(`/messages/${plot}`, { topic: '' })), 'ok')
  // Its notices of the move and of its creation are in named topics.
  for (const topic_name of ['plot', 'channel events']) {
    await iago.api.post(`/streams/${await w.streamId('hall')}/delete_topic`, { topic_name })
  }
  assert.equal(await choose(w, 'empty_topic_only'), 'ok')
  const deliver_at = '2999-01-01'
  const { id: outside } = await hamlet.says('x', { topic: 'plot' })
  const into = { stream_id: await w.streamId('hall') }
  const asked: readonly Answer[] = [
    await send(hamlet, 'plot'),
    await send(hamlet, 'plot', { deliver_at }),
    await hamlet.api.patch(`/messages/${plot}`, { topic: 'plot' }),
    await hamlet.api.patch(`/messages/${outside}`, into),
  ]
  for (const answer of asked) {
    assert.deepEqual(
      [answer.status, answer.msg, answer.empty_topic_display_name],
      [400, ONLY_GENERAL_CHAT, 'general chat'],
    )
  }
  for (const topic of ['', '(no topic)', 'general chat']) assert.equal(outcome(await send(hamlet, topic)), 'ok')
  assert.equal(outcome(await hamlet.api.patch(`/messages/${outside}`, { ...into, topic: '' })), 'ok')
  // What the server itself says goes to general chat, too.
  await iago.api.patch(`/streams/${await w.streamId('hall')}`, { new_name: 'court' })
  assert.match((await topicOf(hamlet, 'court', '')).at(-1)!, /renamed channel/)
  assert.deepEqual(await topicOf(hamlet, 'court', 'channel events'), [])
})

test('moving to general chat follows the policy of the channel', async () => {
  await using w = await hall()
  const { hamlet } = w.people
  await choose(w, 'disable_empty_topic')
  const { id } = await hamlet.says('x', { stream: 'hall', topic: 'plot' })
  const { id: chat } = await hamlet.says('x', { topic: '' })
  const stream_id = await w.streamId('hall')
  assert.equal(outcome(await hamlet.api.patch(`/messages/${id}`, { topic: '' })), NO_GENERAL_CHAT)
  assert.equal(outcome(await hamlet.api.patch(`/messages/${chat}`, { stream_id })), NO_GENERAL_CHAT)
  assert.equal(outcome(await hamlet.api.patch(`/messages/${chat}`, { stream_id, topic: 'plot' })), 'ok')
})

test('people who administer a channel choose its policy if the organization lets them', async () => {
  await using w = await hall()
  const { iago, hamlet } = w.people
  const quoted = { subscriptions: [{ name: 'yard' }], topics_policy: '"disable_empty_topic"' }
  assert.equal(outcome(await hamlet.api.post('/users/me/subscriptions', quoted)), 'ok')
  const yard = `/streams/${await w.streamId('yard')}`
  assert.equal((await hamlet.api.get(yard)).stream.topics_policy, 'disable_empty_topic')
  assert.equal(await choose(w, 'allow_empty_topic', hamlet), 'You do not have permission to administer this channel.')
  assert.equal(await choose(w, 'sometimes'), 'Invalid topics_policy')
  await iago.api.patch('/realm', { can_set_topics_policy_group: { new: await roleId(w, 'role:moderators') } })
  assert.equal(outcome(await hamlet.api.patch(yard, { topics_policy: 'allow_empty_topic' })), 'Insufficient permission')
  assert.equal(outcome(await hamlet.api.patch(yard, { topics_policy: 'inherit' })), 'ok')
  const { id } = await hamlet.api.post('/channels/create', { name: 'x', subscribers: [], topics_policy: '"inherit"' })
  assert.equal((await hamlet.api.get(`/streams/${id}`)).stream.topics_policy, 'inherit')
})

test('the policy of the organization is announced together with the older setting', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const state = async () => {
    const { realm_topics_policy, realm_mandatory_topics } = await hamlet.api.post('/register', {
      fetch_event_types: ['realm'],
    })
    return [realm_topics_policy, realm_mandatory_topics]
  }
  assert.deepEqual(await state(), ['allow_empty_topic', false])
  await iago.api.patch('/realm', { topics_policy: 'disable_empty_topic' })
  assert.deepEqual(await state(), ['disable_empty_topic', true])
  const data = { topics_policy: 'disable_empty_topic', mandatory_topics: true }
  assert.deepEqual(await w.events(), [{ type: 'realm', op: 'update_dict', property: 'default', data }])
  const { ignored_parameters_unsupported } = await iago.api.patch('/realm', { mandatory_topics: false })
  assert.deepEqual(ignored_parameters_unsupported, ['mandatory_topics'])
})
