import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf, type World, world } from '../../src/testing/index.ts'
import { listen } from '../messages/listen.ts'

/** cordelia is a moderator, and not in the private channel. */
async function scene() {
  const w = await world({ people: ['ann', 'ben'], streams: { den: { private: true, members: ['ann', 'ben'] } } })
  await w.iago.api.patch(`/users/${w.cordelia.id}`, { role: 300 })
  for (let i = 0; i < 3; i++) {
    await w.ann.says(`open ${i}`, { topic: `t${i}` })
    await w.ann.says(`hidden ${i}`, { stream: 'den', topic: 'x' })
    await w.ann.says(`direct ${i}`, { people: [w.ben] })
  }
  await w.ben.says('answer', { people: [w.ann] })
  const moderate = (params: object, by = w.cordelia) =>
    by.api.post(`/users/${w.ann.id}/moderate`, { reason: 'Spam', ...params })
  const left = async () =>
    (
      await w.ben.api.get('/messages', { anchor: 'newest', num_before: 99, num_after: 0, apply_markdown: false })
    ).messages
      .filter(({ sender_id }: { sender_id: number }) => sender_id === w.ann.id)
      .map(({ content }: { content: string }) => content)
  return { w, moderate, left }
}
const rows = async (w: World) => (await w.iago.api.get('/audit', { action: 'moderateUser' })).entries

test('deletes everything a spammer and their bots wrote and deactivates the account, with events and one audit row', async () => {
  const { w, moderate, left } = await scene()
  await using _ = w.chat
  const { user_id, api_key } = await w.ann.api.post('/bots', { full_name: 'Echo', short_name: 'echo' })
  const { email } = (await w.ann.api.get(`/users/${user_id}`)).user
  const says = { type: 'stream', to: 'general', topic: 'x', content: 'from the bot' }
  assert.equal((await apiOf(w.chat, { email, key: api_key }).post('/messages', says)).result, 'success')
  assert.equal((await w.cordelia.api.get(`/users/${w.ann.id}/moderation`)).messages, 10)
  const received = await listen(w.ben, ['delete_message', 'realm_user'])
  const answer = await moderate({ actions: ['delete_messages', 'deactivate', 'clear_profile'] })
  assert.deepEqual([answer.msg, answer.messages], ['', 10])
  assert.deepEqual(await left(), [])
  const events = await received()
  const ids = events.flatMap(({ message_ids = [] }: { message_ids?: number[] }) => message_ids)
  assert.equal(new Set(ids).size, 10)
  assert.ok(events.some(({ person }) => person?.user_id === w.ann.id && person?.is_active === false))
  const { user } = await w.iago.api.get(`/users/${w.ann.id}`)
  assert.deepEqual([user.full_name, user.is_active, user.is_deleted], ['Deleted user', false, true])
  assert.equal((await w.iago.api.get(`/users/${user_id}`)).user.is_active, false)
  const [row, ...more] = await rows(w)
  assert.deepEqual([row.actor_id, row.subject_id, more.length], [w.cordelia.id, w.ann.id, 0])
  assert.deepEqual(
    { actions: row.after.actions, messages: row.after.messages, reason: row.after.reason },
    { actions: ['delete_messages', 'deactivate', 'clear_profile'], messages: 10, reason: 'Spam' },
  )
  assert.ok(!JSON.stringify(row).includes('hidden 0'))
})

test('deletes only what was sent since a time, and counts it beforehand', async () => {
  const { w, moderate, left } = await scene()
  await using _ = w.chat
  w.clock.advance(60_000)
  await w.ann.says('late')
  await w.ann.says('late too', { people: [w.ben] })
  const since = Math.floor(w.clock.now() / 1000)
  assert.equal((await w.cordelia.api.get(`/users/${w.ann.id}/moderation`, { since })).messages, 2)
  assert.equal((await moderate({ actions: ['delete_messages'], since })).messages, 2)
  assert.equal((await left()).length, 9)
  assert.ok(!(await left()).some((text: string) => text.startsWith('late')))
})

test('deletes the rest when the request is repeated, also by two moderators at the same time', async () => {
  const { w, moderate, left } = await scene()
  await using _ = w.chat
  const both = { actions: ['delete_messages', 'deactivate'] }
  const answers = await Promise.all([moderate(both), moderate(both, w.iago), moderate(both)])
  assert.deepEqual(
    answers.map(({ result }) => result),
    ['success', 'success', 'success'],
  )
  assert.deepEqual(await left(), [])
  assert.deepEqual([(await moderate(both)).messages, (await left()).length], [0, 0])
})

test('warns by a direct message, and deactivates nobody whom the moderator may not', async () => {
  const { w, moderate } = await scene()
  await using _ = w.chat
  assert.equal((await moderate({ actions: ['warn'], reason: '@**all** be nice' })).msg, '')
  const { messages } = await w.ann.api.get('/messages', {
    ...{ anchor: 'newest', num_before: 1, num_after: 0, apply_markdown: false, narrow: [['is', 'dm']] },
  })
  assert.equal(messages.at(-1).content, 'A moderator has sent you a warning.\n\n```` quote\n@**all** be nice\n````')
  assert.ok(!messages.at(-1).flags.includes('mentioned'))
  await w.iago.api.patch(`/users/${w.ben.id}`, { role: 300 })
  const answer = await w.cordelia.api.post(`/users/${w.ben.id}/moderate`, { actions: ['deactivate'], reason: 'x' })
  assert.equal(answer.code, 'UNAUTHORIZED_PRINCIPAL')
  assert.equal((await w.ben.api.get('/users/me')).is_active, true)
})

test('counts the messages of a busy account in many short statements', async () => {
  const { w } = await scene()
  await using _ = w.chat
  const newest = await w.ann.says('one')
  const { id: _id, ...row } = await storeOf(w.chat)
    .db.selectFrom('message')
    .selectAll()
    .where('id', '=', newest.id)
    .executeTakeFirstOrThrow()
  await w.iago.write(async ({ db }) => {
    for (let i = 0; i < 25; i++)
      await db
        .insertInto('message')
        .values(Array.from({ length: 800 }, () => row))
        .execute()
  })
  w.clock.advance(60_000)
  await w.ann.says('late')
  const status = (params = {}) => w.cordelia.api.get(`/users/${w.ann.id}/moderation`, params)
  assert.equal((await status()).messages, 20_011)
  assert.equal((await status({ since: Math.floor(w.clock.now() / 1000) })).messages, 1)
})
