import assert from 'node:assert/strict'
import test from 'node:test'
import { type Person, type World, type WorldSeed, world } from '../../src/testing/index.ts'
import { verifyEvents } from '../../src/testing/verify-events.ts'
import { listen } from '../messages/listen.ts'
import { policiesOf } from './policies.ts'

const policies = { muted: 1, unmuted: 2, followed: 3 }

async function mute(w: World, who: Person, stream: string) {
  const subscription_data = [{ stream_id: await w.streamId(stream), property: 'is_muted', value: true }]
  await who.api.post('/users/me/subscriptions/properties', { subscription_data })
}

const PLAY: WorldSeed<never> = {
  streams: { play: { members: ['iago', 'hamlet', 'cordelia'], topics: { old: ['first'] } } },
}
const act = {
  begins: (w: World) => w.hamlet.says('word', { stream: 'play', topic: 'new' }),
  sends: (w: World) => w.hamlet.says('word', { stream: 'play', topic: 'old' }),
  reacts: (w: World) => w.hamlet.api.post(`/messages/${w.message_ids[0] ?? 1}/reactions`, { emoji_name: 'tada' }),
} as const

const followed: [policy: number, deeds: string[]][] = [
  [1, ['begins', 'sends', 'reacts', 'votes']],
  [2, ['begins', 'sends']],
  [3, ['begins']],
  [4, []],
]
for (const kind of ['followed', 'unmuted'] as const) {
  for (const [policy, deeds] of followed) {
    test(`policy ${policy} makes a topic ${kind} after ${deeds.join(', ') || 'nothing'}`, async () => {
      const seen: string[] = []
      for (const deed of ['begins', 'sends', 'reacts', 'votes'] as const) {
        await using w = await world({
          ...PLAY,
          messages: [{ from: 'cordelia', content: '/poll lunch?\nsoup', stream: 'play', topic: 'old' }],
        })
        const [follow, unmute] = kind === 'followed' ? [policy, 4] : [4, policy]
        if (kind === 'unmuted') await mute(w, w.hamlet, 'play')
        await w.hamlet.api.patch('/settings', {
          automatically_follow_topics_policy: follow,
          automatically_unmute_topics_in_muted_streams_policy: unmute,
        })
        const vote = () =>
          w.hamlet.api.post('/submessage', {
            message_id: w.message_ids[0]!,
            msg_type: 'widget',
            content: JSON.stringify({ type: 'vote', key: 'canned,0', vote: 1 }),
          })
        await (deed === 'votes' ? vote() : act[deed](w))
        const topics = await policiesOf(w.hamlet)
        assert.ok(Object.keys(topics).length <= 1)
        if (Object.values(topics)[0] === policies[kind]) seen.push(deed)
      }
      assert.deepEqual(seen, deeds)
    })
  }
}

test('unmutes topics automatically only in muted streams', async () => {
  await using w = await world(PLAY)
  await act.sends(w)
  assert.deepEqual(await policiesOf(w.hamlet), {})
  await mute(w, w.hamlet, 'play')
  await act.sends(w)
  assert.deepEqual(await policiesOf(w.hamlet), { old: policies.unmuted })
})

test('following beats unmuting, and neither lowers a policy or touches a muted topic', async () => {
  await using w = await world(PLAY)
  const { hamlet } = w
  await mute(w, hamlet, 'play')
  await act.begins(w)
  assert.deepEqual(await policiesOf(hamlet), { new: policies.followed })
  const received = await listen(hamlet, ['user_topic'])
  await hamlet.says('more', { stream: 'play', topic: 'new' })
  assert.deepEqual(await received(), [])
  const stream_id = await w.streamId('play')
  await hamlet.api.patch('/settings', { automatically_follow_topics_policy: 1 })
  await hamlet.api.post('/user_topics', { stream_id, topic: 'old', visibility_policy: policies.muted })
  await act.sends(w)
  await w.cordelia.says('@**hamlet**', { stream: 'play', topic: 'old' })
  assert.deepEqual(await policiesOf(hamlet), { new: policies.followed, old: policies.muted })
  await hamlet.api.post('/user_topics', { stream_id, topic: 'old', visibility_policy: policies.unmuted })
  await act.sends(w)
  assert.equal((await policiesOf(hamlet)).old, policies.followed)
})

test('bots follow no topics', async () => {
  await using w = await world({ people: { bob: { bot: true } } })
  await w.bob.says('first', { topic: 'mine' })
  await w.hamlet.says('@**bob**', { topic: 'plans' })
  assert.deepEqual(await policiesOf(w.bob), {})
})

test('people mentioned by name or group follow the topic with one event, but not by wildcard', async () => {
  await using w = await world({ ...PLAY, groups: { royals: ['hamlet', 'cordelia'] } })
  const { iago, hamlet, cordelia } = w
  await w.events()
  await iago.says('@*royals* and @**hamlet**', { stream: 'play', topic: 'plot' })
  const changes = (await w.events()).filter((event) => event.type === 'user_topic')
  assert.equal(changes.length, 2, 'one for those mentioned, one for the sender')
  await iago.says('@**all**', { stream: 'play', topic: 'noise' })
  for (const who of [hamlet, cordelia]) assert.deepEqual(await policiesOf(who), { plot: policies.followed })
  await iago.says('@**hamlet** again', { stream: 'play', topic: 'plot' })
  assert.deepEqual(
    (await w.events()).filter((event) => event.type === 'user_topic' && event.topic_name === 'plot'),
    [],
  )
})

test('a mention upgrades an unmuted topic to followed, consistently for every client', async () => {
  await using w = await world(PLAY)
  const { iago, hamlet, cordelia } = w
  const stream_id = await w.streamId('play')
  await hamlet.api.post('/user_topics', { stream_id, topic: 'PLOT', visibility_policy: policies.unmuted })
  for (const empty_topic_name of [true, false]) {
    const options = { client_capabilities: { empty_topic_name } }
    const topic = empty_topic_name ? 'plot' : ''
    await verifyEvents([iago, hamlet, cordelia], () => iago.says('@**hamlet**', { stream: 'play', topic }), options)
  }
  assert.deepEqual(await policiesOf(hamlet), { plot: policies.followed, 'general chat': policies.followed })
})

test('a scheduled message follows its topic when it is sent', async () => {
  await using w = await world()
  const { schedulerOf } = await import('../../src/core/messages/send/schedule.ts')
  const deliver_at = String(Math.floor(w.clock.now() / 1000) + 60)
  const message = { type: 'stream', to: 'general', topic: 'later', content: 'x', deliver_at }
  await w.hamlet.api.post('/messages', message)
  assert.deepEqual(await policiesOf(w.hamlet), {})
  w.clock.advance(61_000)
  await schedulerOf(w.chat).settled()
  assert.deepEqual(await policiesOf(w.hamlet), { later: policies.followed })
})
