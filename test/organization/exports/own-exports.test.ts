import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../../src/core/kernel/store.ts'
import { exporterOf } from '../../../src/core/organization/exports/exporter.ts'
import { type Person, type World, world } from '../../../src/testing/index.ts'
import { eventually } from '../../eventually.ts'
import { fetchAs, upload } from '../../files/files.ts'
import { readArchive } from './read-archive.ts'

const WEEK = 7 * 86_400
const ready = (w: World) => exporterOf(w.chat).settled()
const pathOf = (url: string): string => new URL(url).pathname

/** Requests an archive, waits for it, and returns it as the person sees it. */
async function exportOf(w: World, { api }: Person) {
  const { id, msg } = await api.post('/users/me/exports')
  assert.equal(msg, '')
  await ready(w)
  const { exports } = await api.get('/users/me/exports')
  assert.deepEqual([exports.length, exports[0].id, exports[0].pending], [1, id, false])
  return exports[0]
}

/** The records and the other files of an archive, as its owner downloads it. */
async function contentsOf(w: World, who: Person, url: string) {
  const answer = await fetchAs(w, who, pathOf(url))
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'application/gzip'])
  assert.match(answer.headers.get('content-disposition') ?? '', /^attachment; filename="?chat-export-/)
  const { files } = await readArchive(answer.body!)
  const text = (name: string) => Buffer.from(files.get(name)!).toString()
  const lines = text('import.jsonl')
    .trim()
    .split('\n')
    .map((line) => JSON.parse(line))
  return {
    all: [...files.values()].map((bytes) => Buffer.from(bytes).toString()).join('\n'),
    account: JSON.parse(text('account.json')),
    names: [...files.keys()],
    of: (type: string) => lines.filter((line) => line.type === type),
  }
}

test('an export of the own data has what the person sent, uploaded and set, and nothing of others', async () => {
  await using w = await world({ streams: { hall: { members: ['hamlet', 'cordelia'] } } })
  const { hamlet, cordelia } = w.people
  const url = await upload(hamlet)
  await upload(hamlet, undefined, 'unsent.txt')
  await upload(cordelia, undefined, 'hers.txt')
  await hamlet.says(`look [here](${url})`, { stream: 'hall', topic: 'plot' })
  const hers = await cordelia.says('her words', { stream: 'hall', topic: 'plot' })
  await cordelia.says('her secret', { people: [w.iago] })
  await hamlet.says('to her', { people: [cordelia] })
  await hamlet.api.post(`/messages/${hers.id}/reactions`, { emoji_name: 'tada' })
  await hamlet.api.post('/saved_snippets', { title: 'Greeting', content: 'Good morrow' })
  await hamlet.api.post('/drafts', { drafts: [{ type: '', to: [], topic: '', content: 'not yet' }] })

  const { export_url, size, expires_at, export_time } = await exportOf(w, hamlet)
  const { of, all, account, names } = await contentsOf(w, hamlet, export_url)
  assert.ok(size > 100)
  assert.equal(expires_at - export_time, WEEK)
  assert.deepEqual(
    of('message').map(({ content }) => content.replace(/\(.*\)/, '()')),
    ['look [here]()', 'to her'],
  )
  assert.deepEqual(
    of('file')
      .map(({ name }) => name)
      .toSorted(),
    ['play.txt', 'unsent.txt'],
  )
  assert.equal(names.filter((name) => name.startsWith('uploads/')).length, 2)
  assert.deepEqual(
    of('user').map(({ name, email }) => [name, email]),
    [
      [hamlet.user.full_name, hamlet.email],
      [cordelia.user.full_name, undefined],
    ],
  )
  assert.deepEqual([of('snippet')[0].title, account.draft[0].content], ['Greeting', 'not yet'])
  assert.deepEqual(account.reaction, [{ message_id: hers.id, emoji_name: 'tada' }])
  for (const hidden of ['her words', 'her secret', 'hers.txt', cordelia.email, w.iago.email])
    assert.ok(!all.includes(hidden), hidden)
})

test('an export tells nothing of channels that the person has left', async () => {
  await using w = await world({ streams: { cellar: { private: true, members: ['hamlet', 'cordelia', 'iago'] } } })
  const { hamlet, cordelia, iago } = w.people
  const stream_id = await w.streamId('cellar')
  const { id } = await hamlet.says('my own words', { stream: 'cellar', topic: 'plot' })
  await cordelia.api.post(`/messages/${id}/reactions`, { emoji_name: 'tada' })
  await iago.api.delete('/users/me/subscriptions', { subscriptions: ['cellar'], principals: [hamlet.id] })
  await iago.api.patch(`/streams/${stream_id}`, { new_name: 'dungeon', description: 'for prisoners' })
  await iago.api.patch(`/messages/${id}`, { topic: 'prison' })
  const { of, all } = await contentsOf(w, hamlet, (await exportOf(w, hamlet)).export_url)
  assert.deepEqual(
    of('message').map(({ content, channel, topic, reactions }) => [content, channel, topic, reactions]),
    [['my own words', String(stream_id), '', undefined]],
  )
  for (const hidden of ['dungeon', 'prison', 'cellar', cordelia.user.full_name])
    assert.ok(!all.includes(hidden), hidden)
})

test('nobody else can see, download or delete an export of the own data', async () => {
  await using w = await world()
  const { hamlet, cordelia, iago } = w.people
  const { id, export_url } = await exportOf(w, hamlet)
  for (const other of [cordelia, iago]) {
    assert.deepEqual((await other.api.get('/users/me/exports')).exports, [])
    assert.equal((await fetchAs(w, other, pathOf(export_url))).status, 404)
    assert.equal((await other.api.delete(`/users/me/exports/${id}`)).msg, 'Invalid data export ID')
  }
  assert.equal((await fetchAs(w, undefined, pathOf(export_url))).status, 401)
  // Administrators have exports of the organization, and this is none.
  assert.deepEqual((await iago.api.get('/export/realm')).exports, [])
  assert.equal((await iago.api.delete(`/export/realm/${id}`)).msg, 'Invalid data export ID')
  const row = await storeOf(w.chat).db.selectFrom('data_export').select('path').executeTakeFirstOrThrow()
  assert.equal((await fetchAs(w, iago, `/user_avatars/exports/${row.path}`)).status, 404)
  // And an export of the organization isn't one's own.
  await iago.api.post('/export/realm')
  await ready(w)
  const [{ id: whole }] = (await iago.api.get('/export/realm')).exports
  assert.equal((await fetchAs(w, iago, `/user_exports/${whole}`)).status, 404)
  assert.equal((await iago.api.delete(`/users/me/exports/${whole}`)).msg, 'Invalid data export ID')
})

test('makes one export of a person at a time, replaces the earlier one, and limits them', async () => {
  await using w = await world({ people: { echo: { bot: true } } })
  const { hamlet, echo } = w.people
  const first = await exportOf(w, hamlet)
  assert.equal((await hamlet.api.post('/users/me/exports')).msg, '')
  assert.equal((await hamlet.api.post('/users/me/exports')).msg, 'An export of your data is already in progress.')
  assert.equal((await fetchAs(w, hamlet, pathOf(first.export_url))).status, 404)
  await ready(w)
  for (let count = 2; count < 5; count++) await exportOf(w, hamlet)
  assert.match((await hamlet.api.post('/users/me/exports')).msg, /5 times in 7 days/)
  assert.equal((await w.cordelia.api.post('/users/me/exports')).msg, '')
  assert.equal((await echo!.api.post('/users/me/exports')).msg, 'Insufficient permission')
  await ready(w)
  const stored = await storeOf(w.chat)
    .db.selectFrom('data_export')
    .select(['user_id'])
    .where('blob_id', 'is not', null)
    .execute()
  assert.equal(stored.length, 2)
})

test('an export of the own data ends after a week, or when its owner deletes it', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const { export_url } = await exportOf(w, hamlet)
  const { id, export_url: other } = await exportOf(w, cordelia)
  assert.equal((await cordelia.api.delete(`/users/me/exports/${id}`)).msg, '')
  assert.deepEqual((await cordelia.api.get('/users/me/exports')).exports, [])
  assert.equal((await fetchAs(w, cordelia, pathOf(other))).status, 404)
  assert.equal((await fetchAs(w, hamlet, pathOf(export_url))).status, 200)
  w.clock.advance(WEEK * 1000)
  assert.equal((await fetchAs(w, hamlet, pathOf(export_url))).status, 404)
  assert.deepEqual((await hamlet.api.get('/users/me/exports')).exports, [])
  await eventually('the archive is deleted', async () => {
    w.clock.advance(86_400_000)
    const rows = await storeOf(w.chat).db.selectFrom('data_export').select('blob_id').execute()
    return rows.every(({ blob_id }) => blob_id === null)
  })
})
