import assert from 'node:assert/strict'
import test from 'node:test'
import { subscribersOf } from '../../src/core/streams/subscriptions/subscriber-lists.ts'
import { people } from '../../src/core/users/people.ts'
import { type Person, world } from '../../src/testing/index.ts'
import { addCrowd } from '../crowd.ts'
import { eventually } from '../eventually.ts'

async function mentionedBy({ db }: Person, message_id: number): Promise<number[]> {
  const rows = await db
    .selectFrom('message_flag')
    .select('user_id')
    .where('message_id', '=', message_id)
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}

async function followers({ db }: Person, topic: string): Promise<number[]> {
  const rows = await db
    .selectFrom('user_topic')
    .select('user_id')
    .where('topic_key', '=', topic)
    .where('visibility_policy', '=', 3)
    .orderBy('user_id')
    .execute()
  return rows.map((row) => row.user_id)
}

async function settled<T>(read: () => Promise<T[]>, length: number): Promise<T[]> {
  await eventually(`${length} rows`, async () => (await read()).length === length)
  return read()
}

test('a mention of over a thousand people flags its subscribers, who then follow the topic', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const ids = await addCrowd(hamlet, 1010)
  const [outside, ended] = [ids[3]!, ids[7]!]
  const members = [hamlet.id, ...ids]
  const group = { name: 'most', description: '', members }
  await iago.api.post('/user_groups/create', group)
  await iago.api.post('/user_groups/create', { name: 'few', description: '', members: [hamlet.id, outside, ids[5]!] })
  const principals = [hamlet.id, cordelia.id, ...ids.filter((id) => id !== outside)]
  await iago.api.post('/users/me/subscriptions', { subscriptions: [{ name: 'arena' }], principals })
  await iago.write(async (tx) => {
    people.invalidate(tx)
    await tx.db.updateTable('user').set({ is_active: 0 }).where('id', '=', ended).execute()
  })
  const reached = members.filter((id) => id !== outside && id !== ended).sort((a, b) => a - b)
  const id = await iago.says('@*most* hello', { stream: 'arena', topic: 'all' }).then((sent) => sent.id)
  assert.deepEqual(await mentionedBy(iago, id), reached)
  // Starting a topic also follows it.
  const withBeginner = (users: readonly number[]) => [iago.id, ...users].sort((a, b) => a - b)
  assert.deepEqual(await settled(() => followers(iago, 'all'), reached.length + 1), withBeginner(reached))

  // Of few: each is looked up in the stream.
  const few = await iago.says('@*few* hello', { stream: 'arena', topic: 'some' }).then((sent) => sent.id)
  const some = [hamlet.id, ids[5]!].sort((a, b) => a - b)
  assert.deepEqual(await mentionedBy(iago, few), some)
  assert.deepEqual(await followers(iago, 'some'), withBeginner(some))

  // Groups of a role include every user with that role.
  const { user_groups } = await iago.api.get('/user_groups')
  const { id: role } = user_groups.find((each: { name: string }) => each.name === 'role:members')
  await iago.api.post('/user_groups/create', { name: 'staff', description: '', members: [], subgroups: [role] })
  const staff = await iago.says('@*staff* hello', { stream: 'arena', topic: 'all' }).then((sent) => sent.id)
  const everybody = principals.filter((user) => user !== ended).sort((a, b) => a - b)
  assert.deepEqual(await mentionedBy(iago, staff), everybody)

  // Lists of subscribers are read in parts.
  const stream = await w.streamId('arena')
  const lists = await subscribersOf(iago, [stream, await w.streamId('general')])
  assert.deepEqual(lists.get(stream), everybody)
})
