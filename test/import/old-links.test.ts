import assert from 'node:assert/strict'
import test from 'node:test'
import { runCommand } from '../../src/admin/commands.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { world } from '../../src/testing/index.ts'
import { fetchAs } from '../files/files.ts'
import { ArchiveFolder, importInto, jsonLines } from './archives.ts'
import { slackExport } from './slack-export.ts'

const DAY = 86_400

test('old links lead to the new places of messages, channels and people, until the import is undone', async () => {
  await using w = await world()
  const { db } = storeOf(w.chat)
  using archive = new ArchiveFolder(slackExport())
  const { import_id } = await importInto(w.chat, archive)
  const rows = await db
    .selectFrom('import_object')
    .selectAll()
    .where('kind', '=', 'message')
    .orderBy('source_id')
    .execute()
  const messages = await db.selectFrom('message').select(['id', 'topic_id', 'conversation_id']).execute()
  assert.ok(rows.length > 5)
  const open = (path: string) => fetchAs(w, undefined, `/import/${path}`, { redirect: 'manual' })
  for (const { source_id, object_id } of rows) {
    const message = messages.find(({ id }) => id === object_id)!
    const [, channel, time] = /^(.*)-(p\d+)$/.exec(source_id)!
    for (const path of [source_id, `${channel}/${time}`, `archives/${channel}/${time}`]) {
      const answer = await open(`slack/${path}`)
      assert.equal(answer.status, 302)
      const place = message.topic_id === null ? 'is/dm' : `channel/${message.conversation_id}`
      assert.equal(answer.headers.get('location'), `/#narrow/${place}/near/${object_id}`)
    }
  }
  const [channel] = await db.selectFrom('import_object').selectAll().where('kind', '=', 'channel').execute()
  const there = await open(`slack/archives/${channel!.source_id}`)
  assert.equal(there.headers.get('location'), `/#narrow/channel/${channel!.object_id}`)
  const [user] = await db.selectFrom('import_object').selectAll().where('kind', '=', 'user').execute()
  assert.equal(
    (await open(`slack/team/${user!.source_id}`)).headers.get('location'),
    `/#narrow/sender/${user!.object_id}`,
  )

  // A deleted message, another source, an unknown ID.
  assert.match(rows[0]!.source_id, /^C1-/)
  assert.equal((await w.iago.api.delete(`/messages/${rows[0]!.object_id}`)).result, 'success')
  const [, ...gone] = await Promise.all([
    open(`slack/${rows[1]!.source_id}`),
    open(`slack/${rows[0]!.source_id}`),
    open(`zulip/${rows[1]!.source_id}`),
    open('slack/C999/p1'),
    open(`slack/${'x'.repeat(600)}`),
  ])
  assert.deepEqual(
    gone.map(({ status }) => status),
    [404, 404, 404, 400],
  )
  await runCommand(w.chat, 'undoImport', { id: import_id }, () => {})
  assert.equal((await open(`slack/${rows[1]!.source_id}`)).status, 404)
})

test('the newest import of a source counts', async () => {
  await using w = await world()
  const now = Math.floor(w.clock.now() / 1000)
  const lines = (content: string) =>
    jsonLines(
      { type: 'user', id: 'u1', name: 'Old Yorick' },
      { type: 'channel', id: 'c1', name: `news ${content}` },
      { type: 'message', id: '7', user: 'u1', date: now - DAY, channel: 'c1', topic: 'x', content },
    )
  using first = new ArchiveFolder({ 'import.jsonl': lines('first') })
  using second = new ArchiveFolder({ 'import.jsonl': lines('second'), 'more.txt': 'x' })
  await importInto(w.chat, first)
  const { import_id } = await importInto(w.chat, second, { into: true })
  const location = async () =>
    (await fetchAs(w, undefined, '/import/jsonl/7', { redirect: 'manual' })).headers.get('location')
  const newer = await location()
  await runCommand(w.chat, 'undoImport', { id: import_id }, () => {})
  const older = await location()
  assert.match(newer!, /^\/#narrow\/channel\/\d+\/near\/\d+$/)
  assert.match(older!, /^\/#narrow\/channel\/\d+\/near\/\d+$/)
  assert.notEqual(newer, older)
})
