import assert from 'node:assert/strict'
import test from 'node:test'
import { ChatError } from '../../../src/client/index.ts'
import { type Answer, type Person, world } from '../../../src/testing/index.ts'
import { wording } from '../../../web/model/state/wording.ts'
import { pieces } from '../../../web/texts/en/pieces.ts'
import { texts } from '../../../web/texts/texts.ts'
import '../../../web/view/parts/problem-words.ts'

const { refusals, problems } = pieces

/** What the page says about an answer of the server. */
const worded = ({ code, msg, ...data }: Answer) =>
  wording.of?.(new ChatError(code as ChatError['code'], msg ?? '', data))

test('the page words what the server says about a message that it rejects', async () => {
  await using w = await world({
    streams: { news: { members: ['hamlet', 'iago'] }, one: { members: ['hamlet', 'iago'] } },
  })
  const { hamlet, cordelia, iago } = w.people
  const send = async (to: object, who: Person = hamlet) =>
    worded(await who.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content: 'y', ...to }))
  const streamOf = async (stream: string) => (await iago.api.get('/get_stream_id', { stream })).stream_id
  const admins = (await iago.api.get('/user_groups', { include_system: true })).user_groups.find(
    ({ name }: { name: string }) => name === 'role:administrators',
  ).id
  const news = await streamOf('news')

  await iago.api.patch(`/streams/${news}`, { can_create_topic_group: { new: admins } })
  assert.equal(await send({ to: 'news' }), refusals.newTopic)
  await iago.api.patch(`/streams/${news}`, { can_send_message_group: { new: admins } })
  assert.equal(await send({ to: 'news' }), texts.compose.mayNotPost)
  await iago.api.patch(`/streams/${await streamOf('one')}`, { topics_policy: '"empty_topic_only"' })
  assert.equal(await send({ to: 'one' }), texts.compose.onlyGeneralChat)
  await iago.api.patch('/realm', { topics_policy: 'disable_empty_topic' })
  assert.equal(await send({ topic: '' }), texts.compose.topicRequired)

  await iago.api.post('/user_groups/create', { name: 'kings', description: '', members: [iago.id] })
  const { user_groups } = await iago.api.get('/user_groups')
  const kings = user_groups.find(({ name }: { name: string }) => name === 'kings').id
  await iago.api.patch(`/user_groups/${kings}`, { can_mention_group: { new: admins } })
  assert.equal(await send({ content: '@*kings*' }), refusals.mention('kings'))
  assert.equal(await send({ content: 'long '.repeat(40_000) }), problems.TOO_LARGE)
  await iago.api.post('/content_filters', { kind: 'word', pattern: 'poison', action: 'refuse' })
  assert.equal(await send({ content: 'poison' }), refusals.filtered)

  const direct = { type: 'direct', to: [cordelia.id] }
  await hamlet.api.post(`/users/me/muted_users/${cordelia.id}`, { block: true })
  assert.equal(await send(direct), refusals.blocked)
  await hamlet.api.delete(`/users/me/muted_users/${cordelia.id}`)
  await iago.api.patch('/realm', { direct_message_permission_group: { new: admins } })
  assert.equal(await send(direct), refusals.direct)
  await iago.api.delete(`/users/${cordelia.id}`)
  assert.equal(await send(direct), texts.compose.deactivatedRecipient(cordelia.email))

  await iago.api.post(`/users/${hamlet.id}/moderate`, { actions: ['silence'], minutes: 60, reason: 'Too loud' })
  assert.match(String(await send({})), /^A moderator silenced you until \w+ \d.*Reason: Too loud$/)
})

test('the page says how long a writer must wait in slow mode', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const { stream_id } = await iago.api.get('/get_stream_id', { stream: 'general' })
  await iago.api.patch(`/streams/${stream_id}`, { slow_mode_seconds: 90 })
  const send = (content: string) => hamlet.api.post('/messages', { type: 'stream', to: 'general', topic: 'x', content })
  await send('one')
  assert.equal(worded(await send('two')), 'Slow mode: you can send your next message in 90 seconds.')
})
