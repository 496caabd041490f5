import assert from 'node:assert/strict'
import { existsSync, readFileSync, symlinkSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { importerOf } from '../../src/core/files/import-uploads.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { openChat } from '../../src/index.ts'
import { apiOf, type World, world } from '../../src/testing/index.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { fetchAs, sweepNow } from '../files/files.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { ArchiveFolder, contentsOf, importInto, jsonLines } from './archives.ts'

const now = 1_700_000_000
const records = [
  { type: 'user', id: 'u1', name: 'Ann', email: 'ann@example.com' },
  { type: 'user', id: 'u2', name: 'Hamlet', email: 'hamlet@example.com' },
  { type: 'user', id: 'u3', name: 'Old Robin' },
  { type: 'channel', id: 'c1', name: 'kitchen' },
  { type: 'message', id: 'm1', user: 'u1', date: now, channel: 'c1', topic: 'soup', content: 'hot' },
  { type: 'message', id: 'm2', user: 'u2', date: now + 1, channel: 'c1', content: 'outside' },
  { type: 'message', id: 'm3', user: 'u3', date: now + 2, channel: 'c1', topic: 'soup', content: 'cold' },
]
const lines = Buffer.from(jsonLines(...records))

const settled = (w: World) => importerOf(w.chat).settled()
const listed = async (w: World) => w.iago.api.get('/imports')
const jobIn = async (w: World) => (await listed(w)).job

/** Sends the bytes of an archive from an offset. */
const send = (w: World, url: string, offset: number, bytes: Uint8Array) =>
  fetchAs(w, w.iago, url, {
    method: 'PATCH',
    headers: {
      'tus-resumable': '1.0.0',
      'upload-offset': String(offset),
      'content-type': 'application/offset+octet-stream',
    },
    body: Uint8Array.from(bytes),
  })

/** Uploads an archive as a whole and waits for its dry run. */
async function prepared(w: World, bytes: Uint8Array = lines, filename = 'old.jsonl') {
  const { upload_url } = await w.iago.api.post('/import_job', { filename, size: bytes.length })
  const answer = await send(w, upload_url, 0, bytes)
  assert.equal(answer.status, 204, await answer.text())
  await settled(w)
  return jobIn(w)
}

test('uploads an archive in pieces, reports a dry run, maps people, imports and undoes', async () => {
  await using w = await world()
  const { iago } = w.people
  const before = await contentsOf(w.chat)
  const { id, upload_url } = await iago.api.post('/import_job', { filename: 'a/old.jsonl', size: lines.length })
  assert.equal((await send(w, upload_url, 0, lines.subarray(0, 100))).status, 204)
  const uploading = await jobIn(w)
  assert.deepEqual(
    [uploading.id, uploading.phase, uploading.file, uploading.received, uploading.size, uploading.upload_url],
    [id, 'uploading', 'old.jsonl', 100, lines.length, upload_url],
  )
  assert.equal((await send(w, upload_url, 0, lines)).status, 409)
  assert.equal((await send(w, upload_url, 100, lines.subarray(100))).status, 204)
  await settled(w)
  const ready = await jobIn(w)
  assert.deepEqual([ready.phase, ready.checked, ready.upload_url], ['ready', true, null])
  assert.deepEqual(ready.report.people, { matched: 1, created: 1, stubs: 1, skipped: 0 })

  const { people, next } = await iago.api.get('/import_job/people')
  assert.equal(next, null)
  assert.deepEqual(
    people.map(({ source_id, email, how, account }: Record<string, unknown>) => [source_id, email, how, account]),
    [
      ['u1', 'ann@example.com', 'new', null],
      ['u2', 'hamlet@example.com', 'existing', null],
      ['u3', null, 'stub', null],
    ],
  )
  const change = {
    topics: 'by-day',
    people: [
      { nth: 0, account: 'skip' },
      { nth: 2, account: 'Cordelia@example.com' },
    ],
  }
  assert.equal((await iago.api.patch('/import_job', change)).result, 'success')
  assert.match((await iago.api.post('/import_job/start')).msg, /dry run again/)
  await iago.api.post('/import_job/start', { dry_run: true })
  await settled(w)
  const again = await jobIn(w)
  assert.deepEqual(
    [again.topics, again.checked, again.report.people],
    ['by-day', true, { matched: 2, created: 0, stubs: 0, skipped: 1 }],
  )
  assert.deepEqual(
    (await iago.api.get('/import_job/people', { how: 'existing', after: 1 })).people.map(
      ({ nth, account }: Record<string, unknown>) => [nth, account],
    ),
    [[2, 'Cordelia@example.com']],
  )

  assert.equal((await iago.api.post('/import_job/start')).result, 'success')
  await settled(w)
  const { imports, job } = await listed(w)
  assert.equal(job, null)
  assert.deepEqual([imports[0].file, imports[0].messages_done], ['old.jsonl', 2])
  const { report, newcomers } = await iago.api.get(`/imports/${imports[0].id}`)
  assert.deepEqual([report, newcomers], [again.report, 0])
  const { messages } = await w.cordelia.api.get('/messages', {
    ...{ anchor: 'newest', num_before: 10, num_after: 0, apply_markdown: false },
    narrow: [{ operator: 'channel', operand: 'kitchen' }],
  })
  assert.deepEqual(
    messages.map((one: { content: string; sender_full_name: string }) => [one.content, one.sender_full_name]),
    [
      ['outside', 'hamlet'],
      ['cold', 'cordelia'],
    ],
  )
  assert.equal((await iago.api.post(`/imports/${imports[0].id}/undo`)).result, 'success')
  await settled(w)
  assert.notEqual((await listed(w)).imports[0].undone_at, null)
  assert.deepEqual(await contentsOf(w.chat), before)
  await sweepNow(w, 86_400)
  assert.deepEqual(await storeOf(w.chat).db.selectFrom('dropped_blob').selectAll().execute(), [])
})

test('allows one import at a time, and none to administrators', async () => {
  await using w = await world()
  const { iago, cordelia: admin } = w.people
  await iago.api.patch(`/users/${admin.id}`, { role: 200 })
  assert.match((await admin.api.get('/imports')).msg, /owner/)
  assert.match((await admin.api.post('/import_job', { filename: 'x', size: 1 })).msg, /owner/)
  await iago.api.post('/import_job', { filename: 'x.zip', size: 10 })
  assert.match((await iago.api.post('/import_job', { filename: 'y.zip', size: 10 })).msg, /Another import/)
  assert.match((await iago.api.post('/import_job/start')).msg, /"uploading"/)
  assert.equal((await iago.api.delete('/import_job')).result, 'success')
  assert.match((await iago.api.delete('/import_job')).msg, /No import/)
  assert.deepEqual(await storeOf(w.chat).db.selectFrom('upload').selectAll().execute(), [])
  const large = await iago.api.post('/import_job', { filename: 'x.zip', size: 21 * 1024 ** 3 })
  assert.deepEqual([large.code, /20 GiB/.test(large.msg)], ['TOO_LARGE', true])
})

test('takes the archive only from people who are still owners', async () => {
  await using w = await world()
  await w.iago.api.patch(`/users/${w.hamlet.id}`, { role: 100 })
  const { upload_url } = await w.hamlet.api.post('/import_job', { filename: 'x.jsonl', size: 10 })
  const piece = () =>
    fetchAs(w, w.hamlet, upload_url, {
      method: 'PATCH',
      headers: {
        ...{ 'tus-resumable': '1.0.0', 'upload-offset': '0' },
        'content-type': 'application/offset+octet-stream',
      },
      body: new Uint8Array(5),
    })
  await w.iago.api.patch(`/users/${w.hamlet.id}`, { role: 200 })
  assert.match(await (await piece()).text(), /owner/)
  assert.equal((await jobIn(w)).received, 0)
  await w.iago.api.patch(`/users/${w.hamlet.id}`, { role: 100 })
  assert.equal((await piece()).status, 204)
  assert.equal((await jobIn(w)).received, 5)
})

test('an abandoned upload ends its import', async () => {
  await using w = await world()
  await w.iago.api.post('/import_job', { filename: 'x.zip', size: 10 })
  await sweepNow(w, 2 * 86_400)
  assert.equal(await jobIn(w), null)
})

test('says why an archive is rejected, and keeps nothing of it', async () => {
  await using w = await world()
  const job = await prepared(w, Buffer.from('no export'), 'notes.txt')
  assert.deepEqual([job.phase, job.report], ['failed', null])
  assert.match(job.problem, /Unrecognized file/)
  assert.equal((await w.iago.api.delete('/import_job')).result, 'success')
  await settled(w)
  assert.equal(await jobIn(w), null)
})

test("imports what lies in the server's folder for imports, and nothing else", async () => {
  using archive = new ArchiveFolder({ 'old/a.jsonl': lines.toString(), 'secret/b.jsonl': lines.toString() })
  symlinkSync(join(archive.path, 'secret'), join(archive.path, 'old', 'link'))
  await using w = await world({ chat: { importFolder: join(archive.path, 'old') } })
  const { iago } = w.people
  assert.deepEqual((await listed(w)).server_files, ['a.jsonl'])
  for (const server_file of ['../secret', '..', '.', 'link', 'b.jsonl', '/etc/passwd', 'old\0'])
    assert.match((await iago.api.post('/import_job', { server_file })).msg, /no such file|NUL|null/i, server_file)
  await iago.api.post('/import_job', { server_file: 'a.jsonl' })
  await settled(w)
  const job = await jobIn(w)
  assert.deepEqual([job.phase, job.on_server, job.report.found.message], ['ready', true, 3])
  await using plain = await world()
  assert.equal((await listed(plain)).server_files, null)
  assert.match((await plain.iago.api.post('/import_job', { server_file: 'a.jsonl' })).msg, /no such file/)
})

test('lists why an import can no longer be undone', async () => {
  await using w = await world()
  await prepared(w)
  await w.iago.api.post('/import_job/start')
  await settled(w)
  await w.cordelia.joins('kitchen')
  await w.iago.api.post('/imports/1/undo')
  await settled(w)
  const job = await jobIn(w)
  assert.equal(job.phase, 'failed')
  assert.match(job.problem, /person joined an imported channel/)
  assert.equal((await w.iago.api.delete('/import_job')).result, 'success')
  assert.match((await w.iago.api.post('/imports/7/undo')).msg, /does not exist/)
})

test('invites imported people, whose accounts keep what was imported for them', async () => {
  await using w = await world()
  await prepared(w)
  await w.iago.api.post('/import_job/start')
  await settled(w)
  assert.equal((await w.iago.api.get('/imports/1')).newcomers, 1)
  const { newcomers } = await w.iago.api.post('/imports/1/invite')
  assert.deepEqual(
    newcomers.map(({ email, full_name }: Record<string, string>) => [email, full_name]),
    [['ann@example.com', 'Ann']],
  )
  const token = new URL(newcomers[0].link_url).searchParams.get('token')
  const visitor = apiOf(w.chat)
  assert.equal((await visitor.post('/password_link', { token, password: 'correct horse battery' })).result, 'success')
  const { api_key } = await visitor.post('/fetch_api_key', {
    username: 'ann@example.com',
    password: 'correct horse battery',
  })
  const ann = apiOf(w.chat, { email: 'ann@example.com', key: api_key })
  const { messages } = await ann.get('/messages', {
    ...{ anchor: 'newest', num_before: 10, num_after: 0 },
    narrow: [{ operator: 'sender', operand: 'me' }],
  })
  assert.equal(messages.length, 1)
  assert.equal((await w.iago.api.get('/imports/1')).newcomers, 0)
  assert.match((await w.iago.api.post('/imports/1/invite', { mail: true })).msg, /doesn't send email/)
  const { entries } = await w.iago.api.get('/audit', { action: 'inviteNewcomers' })
  assert.equal(entries[0].actor_id, w.iago.id)
})

test(
  'an import that a stopped server interrupted resumes when it starts again',
  onlyOnSqlite('the file is reopened'),
  async () => {
    using folder = new TemporaryFolder()
    const db = join(folder.path, 'chat.db')
    const many = Array.from({ length: 3000 }, (_, i) => ({
      ...{ type: 'message', id: `n${i}`, user: 'u1', date: now + 10 + i, channel: 'c1', topic: 'many' },
      content: `message ${i}`,
    }))
    using archive = new ArchiveFolder({ 'a.jsonl': jsonLines(...records, ...many) })
    {
      const w = await world({ chat: { db } })
      await prepared(w, readFileSync(join(archive.path, 'a.jsonl')))
      let closed: Promise<void> | undefined
      await w.iago.api.post('/import_job/start')
      storeOf(w.chat).observeCommits(() => {
        closed ??= storeOf(w.chat)
          .db.selectFrom('import')
          .select('messages_done')
          .executeTakeFirst()
          .then((row) => {
            if (!row?.messages_done) closed = undefined
            else return w.chat.close()
          })
      })
      await settled(w)
      await closed
    }
    assert.ok(existsSync(`${db}.import`))
    await using chat = await openChat({ db })
    const { db: reader } = storeOf(chat)
    const half = await reader.selectFrom('import').selectAll().executeTakeFirstOrThrow()
    await importerOf(chat).settled()
    const whole = await reader.selectFrom('import').selectAll().executeTakeFirstOrThrow()
    assert.equal(whole.id, half.id)
    assert.equal(whole.messages_done, 3003)
    assert.notEqual(whole.finished_at, null)
    assert.deepEqual(await reader.selectFrom('import_job').selectAll().execute(), [])
    assert.ok(!existsSync(`${db}.import`))
  },
)

test('an archive that waits for its import takes nothing from the quota of files', async () => {
  await using w = await world()
  await w.iago.api.patch('/realm', { upload_quota_mib: 1 })
  const { upload_url } = await w.iago.api.post('/import_job', { filename: 'x.zip', size: 3 * 1024 * 1024 })
  assert.equal((await send(w, upload_url, 0, new Uint8Array(2 * 1024 * 1024))).status, 204)
  assert.equal((await w.hamlet.api.upload('/user_uploads', new Uint8Array(1000), 'a.txt')).result, 'success')
})

test('the command line and the page import one after the other', async () => {
  await using w = await world()
  await prepared(w)
  await w.iago.api.post('/import_job/start')
  using archive = new ArchiveFolder({ 'b.jsonl': jsonLines(...records.slice(0, 1)) })
  await Promise.all([importInto(w.chat, archive, { into: true }), settled(w)])
  const { imports, job } = await listed(w)
  assert.equal(job, null)
  assert.deepEqual(imports.map((one: { file: string }) => one.file).sort(), ['archive', 'old.jsonl'])
})
