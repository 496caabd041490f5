import assert from 'node:assert/strict'
import { existsSync, readdirSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { runCommand } from '../../../src/admin/commands.ts'
import { sweep } from '../../../src/core/events/queues/sweep.ts'
import { storeOf } from '../../../src/core/kernel/store.ts'
import { openChat } from '../../../src/core/open-chat.ts'
import { exporterOf } from '../../../src/core/organization/exports/exporter.ts'
import { createApp } from '../../../src/http/index.ts'
import { type World, world } from '../../../src/testing/index.ts'
import { verifyEvents } from '../../../src/testing/verify-events.ts'
import { fetchAs, upload } from '../../files/files.ts'
import { onePixelPng } from '../../fixtures/images.ts'
import { TemporaryFolder } from '../../temporary-folder.ts'
import { exported, type Row, readArchive } from './read-archive.ts'

const made = (w: World) => exporterOf(w.chat).settled()
const pathOf = (url: string) => new URL(url).pathname
const DAY_MS = 86_400_000

test('an administrator creates, reads and deletes an archive', async () => {
  await using w = await world({ streams: { verona: { members: ['hamlet'] } } })
  const { iago, hamlet, cordelia } = w.people
  const { id: message_id } = await hamlet.says('to be', { stream: 'verona', topic: 'question' })
  await hamlet.says('a secret', { people: [cordelia] })
  await cordelia.api.post(`/messages/${message_id}/reactions`, { emoji_name: 'tada' })
  const { id, msg } = await iago.api.post('/export/realm')
  assert.equal(msg, '')
  await made(w)
  const { exports } = await iago.api.get('/export/realm')
  const [{ export_url, ...rest }] = exports
  assert.deepEqual(exports.length, 1)
  const about = { acting_user_id: iago.id, deleted_timestamp: null, failed_timestamp: null }
  assert.deepEqual(rest, { id, ...about, export_time: w.clock.now() / 1000, export_type: 'public', pending: false })
  const answer = await fetchAs(w, iago, pathOf(export_url))
  assert.equal(answer.status, 200)
  assert.match(answer.headers.get('content-disposition')!, /^attachment; filename="chat-export-.*\.tar\.gz"/)
  const contents = await readArchive(answer.body!)
  const messages = contents.rows('zerver_message')
  const sent = messages.find((row) => row.id === message_id)
  assert.deepEqual(
    [sent.subject, sent.content, sent.sender, sent.is_channel_message],
    ['question', 'to be', hamlet.id, true],
  )
  assert.equal(
    messages.some((row) => row.content === 'a secret'),
    false,
  )
  assert.deepEqual(
    contents.rows('zerver_reaction').map((row) => [row.message, row.emoji_name]),
    [[message_id, 'tada']],
  )

  assert.equal((await iago.api.delete(`/export/realm/${id}`)).msg, '')
  assert.equal((await fetchAs(w, iago, pathOf(export_url))).status, 404)
  assert.equal((await iago.api.delete(`/export/realm/${id}`)).msg, 'Export already deleted')
  assert.equal((await iago.api.delete('/export/realm/99')).msg, 'Invalid data export ID')
  const [gone] = (await iago.api.get('/export/realm')).exports
  assert.deepEqual([gone.export_url, gone.deleted_timestamp], [null, w.clock.now() / 1000])
  w.clock.advance(DAY_MS)
  await sweep(w.chat)
  const { db } = storeOf(w.chat)
  assert.deepEqual(await db.selectFrom('dropped_blob').selectAll().execute(), [])
})

test('the event gives the address under which its reader reaches the server', async () => {
  await using w = await world()
  const { iago } = w.people
  const app = createApp({ chat: w.chat, rateLimit: false })
  const authorization = `Basic ${Buffer.from(`${iago.email}:${iago.key}`).toString('base64')}`
  const { queue_id } = await iago.api.post('/register', { event_types: ['realm_export'] })
  await iago.api.post('/export/realm')
  await made(w)
  for (const origin of ['https://chat.example.com', 'http://10.0.0.7:9991']) {
    const polled = await app.fetch(
      new Request(`${origin}/api/v1/events?queue_id=${queue_id}&last_event_id=-1&dont_block=true`, {
        headers: { authorization, host: new URL(origin).host },
      }),
    )
    const { events } = (await polled.json()) as { events: { exports: { export_url: string | null }[] }[] }
    const address = events.at(-1)!.exports[0]!.export_url!
    assert.ok(address.startsWith(`${origin}/user_avatars/exports/1/`), address)
  }
})

test('nobody else can see or download exports', async () => {
  await using w = await world()
  const { iago, hamlet, polonius } = w.people
  await iago.api.post('/export/realm')
  await made(w)
  const [{ export_url, id }] = (await iago.api.get('/export/realm')).exports
  for (const who of [hamlet, polonius]) {
    for (const answer of [
      await who.api.get('/export/realm'),
      await who.api.post('/export/realm'),
      await who.api.delete(`/export/realm/${id}`),
      await who.api.get('/export/realm/consents'),
    ]) {
      assert.equal(answer.code, 'UNAUTHORIZED_PRINCIPAL')
    }
    assert.equal((await fetchAs(w, who, pathOf(export_url))).status, 400)
  }
  assert.equal((await fetchAs(w, undefined, pathOf(export_url))).status, 401)
  assert.equal((await fetchAs(w, iago, pathOf(export_url).replace(/\/\w{8}/, '/aaaaaaaa'))).status, 404)
})

test('only administrators get exports and consents as events', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const [owner, member] = await verifyEvents([iago, hamlet], async () => {
    await iago.api.post('/export/realm', { export_type: 2 })
    await made(w)
    await hamlet.api.patch('/settings', { allow_private_data_export: true })
  })
  const ofExports = (events: Row[]) => events.filter((event) => event.type.startsWith('realm_export'))
  assert.deepEqual(
    ofExports(owner!).map(({ type, exports, user_id, consented }) => [
      type,
      exports?.[0]?.pending ?? [user_id, consented],
    ]),
    [
      ['realm_export', true],
      ['realm_export', false],
      ['realm_export_consent', [hamlet.id, true]],
    ],
  )
  assert.deepEqual(ofExports(member!), [])
  const { export_consents } = await iago.api.get('/export/realm/consents')
  assert.deepEqual(
    export_consents.filter((one: { consented: boolean }) => one.consented),
    [{ user_id: hamlet.id, consented: true, email_address_visibility: 1 }],
  )
})

test('allows five exports a week, and none of very large organizations', async () => {
  await using w = await world()
  const { iago } = w.people
  for (let i = 0; i < 5; i++) assert.equal((await iago.api.post('/export/realm')).msg, '')
  assert.equal((await iago.api.post('/export/realm')).msg, 'Exceeded rate limit.')
  w.clock.advance(7 * DAY_MS)
  assert.equal((await iago.api.post('/export/realm')).msg, '')
  await storeOf(w.chat).write(({ db }) =>
    db
      .updateTable('file_space')
      .set({ bytes: 11 * 1024 ** 3 })
      .execute(),
  )
  assert.equal((await iago.api.post('/export/realm')).msg, 'Please request a manual export from iago@example.com.')
  assert.equal((await iago.api.post('/export/realm', { export_type: 3 })).msg, 'Invalid export_type')
  await made(w)
})

test('after a restart, fails interrupted exports and runs waiting ones', async () => {
  using folder = new TemporaryFolder()
  const db = join(folder.path, 'chat.db')
  const options = { db }
  {
    await using w = await world({ chat: options })
    await w.iago.api.post('/export/realm')
    await made(w)
    await storeOf(w.chat).write(({ db }) =>
      db
        .insertInto('data_export')
        .values([
          { user_id: w.iago.id, kind: 1, requested_at: 1, begun_at: 2 },
          { user_id: w.iago.id, kind: 1, requested_at: 3 },
        ])
        .execute(),
    )
  }
  await using chat = await openChat(options)
  await exporterOf(chat).settled()
  const rows = await storeOf(chat).db.selectFrom('data_export').selectAll().orderBy('id').execute()
  assert.deepEqual(
    rows.map((row) => [row.failed_at !== null, row.path !== null]),
    [
      [false, true],
      [true, false],
      [false, true],
    ],
  )
  assert.equal(existsSync(`${db}.export`), false)
})

test('an archive has every table by name with consistent ids', async () => {
  await using w = await world({
    people: { ann: {}, echo: { bot: true } },
    streams: { verona: { members: ['hamlet', 'ann'] }, secret: { private: true, members: ['ann'] } },
    groups: { cooks: ['ann', 'hamlet'] },
  })
  const { iago, hamlet, cordelia } = w.people
  const { ann } = w
  for (const who of [ann, hamlet]) await who.api.patch('/settings', { allow_private_data_export: true })
  await iago.api.upload('/realm/emoji/blob', onePixelPng())
  await iago.api.post('/realm/profile_fields', { name: 'Pet', field_type: 1 })
  await iago.api.post('/realm/filters', { pattern: '#(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' })
  await iago.api.post('/realm/domains', { domain: 'example.com', allow_subdomains: true })
  const url = await upload(hamlet)
  const ids = {
    open: (await hamlet.says(`see [it](${url})`, { stream: 'verona', topic: 'x' })).id,
    hidden: (await ann.says('hidden', { stream: 'secret', topic: 'y' })).id,
    two: (await cordelia.says('for two', { people: [ann] })).id,
    three: (await hamlet.says('for three', { people: [ann, cordelia] })).id,
    own: (await ann.says('for me', { people: [ann] })).id,
  }
  await hamlet.api.patch(`/messages/${ids.open}`, { content: `changed [it](${url})` })
  await ann.api.post('/messages/flags', { messages: [ids.open], op: 'add', flag: 'starred' })
  await ann.api.post('/messages/flags', { messages: [ids.two], op: 'add', flag: 'read' })
  const contents = await exported(w.chat, 'consent')

  const rows = (table: string): Row[] => contents.rows(table)
  const idsOf = (table: string) => new Set(rows(table).map((row) => row.id))
  const users = new Set([
    ...idsOf('zerver_userprofile'),
    ...idsOf('zerver_userprofile_mirrordummy'),
    ...idsOf('zerver_userprofile_crossrealm'),
  ])
  const recipients = new Map(rows('zerver_recipient').map((row) => [row.id, row]))
  const groups = idsOf('zerver_usergroup')
  for (const name of Object.keys(contents.json('realm.json'))) {
    const list = rows(name)
    if (name === 'import_source') continue
    assert.equal(new Set(list.map((row) => row.id)).size, list.length, `${name}: ids are unique`)
    for (const row of list) {
      for (const [column, value] of Object.entries(row)) {
        if (value === null || typeof value === 'boolean') continue
        if (/^(user_profile|sender|owner|creator|author|bot_owner|muted_user|user)$/.test(column))
          assert.ok(users.has(value), `${name}.${column} ${value}`)
        if (column === 'recipient') assert.ok(recipients.has(value), `${name}.recipient ${value}`)
        if (/_group$|^supergroup$|^subgroup$|^can_/.test(column) && typeof value === 'number')
          assert.ok(groups.has(value), `${name}.${column} ${value}`)
        if (column === 'stream') assert.ok(idsOf('zerver_stream').has(value), `${name}.stream`)
        if (column === 'sending_client' || column === 'client')
          assert.ok(idsOf('zerver_client').has(value), `${name}.${column}`)
        if (column === 'realm') assert.equal(value, 1)
      }
    }
  }
  const to = (id: number) => {
    const { type, type_id } = recipients.get(rows('zerver_message').find((row) => row.id === id).recipient)
    return [type, type_id]
  }
  assert.deepEqual(to(ids.open), [2, await w.streamId('verona')])
  assert.deepEqual(to(ids.hidden), [2, await w.streamId('secret')])
  assert.deepEqual(to(ids.two), [1, ann.id])
  assert.deepEqual(to(ids.own), [1, ann.id])
  assert.equal(to(ids.three)[0], 3)
  const flags = (user: number, message: number) =>
    rows('zerver_usermessage').find((row) => row.user_profile === user && row.message === message)?.flags_mask
  assert.deepEqual([flags(ann.id, ids.open), flags(ann.id, ids.two), flags(hamlet.id, ids.open)], [2, 2049, 1])
  assert.equal(flags(cordelia.id, ids.two), undefined)
  const edited = rows('zerver_message').find((row) => row.id === ids.open)
  assert.equal(JSON.parse(edited.edit_history)[0].prev_content, `see [it](${url})`)
  // Users who didn't agree become placeholders with their addresses and roles.
  const accounts = rows('zerver_userprofile').map((row) => row.full_name)
  assert.deepEqual(accounts.filter((name) => ['ann', 'hamlet', 'cordelia', 'iago'].includes(name)).sort(), [
    'ann',
    'hamlet',
  ])
  const substitute = rows('zerver_userprofile_mirrordummy').find((row) => row.id === cordelia.id)
  assert.deepEqual(
    [substitute.is_mirror_dummy, substitute.is_active, substitute.delivery_email],
    [true, false, 'cordelia@example.com'],
  )
  const text = [...contents.files.values()].map((bytes) => Buffer.from(bytes).toString()).join()
  assert.equal(/password_hash|"api_key"|"digest"/.test(text), false)
  // What stats.json says is what there is.
  const stats = contents.json('stats.json')
  for (const [file, counts] of Object.entries(stats)) {
    if (typeof counts === 'number')
      assert.equal(contents.json(`${file.replace('_records', '')}/records.json`).length, counts)
    else
      for (const [table, count] of Object.entries(counts as object))
        assert.equal(contents.json(`${file}.json`)[table].length, count)
  }
  assert.deepEqual(
    contents.json('emoji/records.json').map((row: { name: string }) => row.name),
    ['blob', 'blob'],
  )
})

test('takes kinds of archives by name and number, and names them', async () => {
  await using w = await world()
  const { api } = w.people.iago
  for (const export_type of ['public', 2, undefined]) {
    assert.equal((await api.post('/export/realm', { export_type })).msg, '')
    await exporterOf(w.chat).settled()
  }
  const { exports } = await api.get('/export/realm')
  assert.deepEqual(
    exports.map(({ export_type }: { export_type: unknown }) => export_type),
    ['public', 'full_with_consent', 'public'],
  )
  const refused = await api.post('/export/realm', { export_type: 'full_without_consent' })
  assert.match(refused.msg, /without consent is not enabled/)
  assert.equal((await api.post('/export/realm', { export_type: 'all' })).msg, 'Invalid export_type')
})

/** Exports to a file, and resolves when the archive has begun. */
async function begunExport(w: World, file: string, ended?: AbortSignal) {
  const made = runCommand(w.chat, 'exportData', { file, kind: 'full' }, () => {}, ended)
  made.catch(() => {})
  while (!existsSync(`${file}.partial`)) await setImmediate()
  assert.equal(existsSync(file), false)
  return { made }
}

for (const [what, end] of [
  ['the command ends', async (_: World, command: AbortController) => command.abort(new Error('ended'))],
  ['the server stops', (w: World) => w.chat.close()],
] as const) {
  test(`leaves nothing of an export when ${what}`, async () => {
    using folder = new TemporaryFolder()
    await using w = await world({ chat: { db: join(folder.path, 'chat.db') } })
    const exports = new TemporaryFolder()
    using _ = exports
    const command = new AbortController()
    const { made } = await begunExport(w, join(exports.path, 'all.tar.gz'), command.signal)
    await end(w, command)
    await assert.rejects(made)
    assert.deepEqual(readdirSync(exports.path), [])
  })
}

test('runs one export at a time', async () => {
  using folder = new TemporaryFolder()
  await using w = await world()
  const file = (name: string) => join(folder.path, name)
  const { made: first } = await begunExport(w, file('a.tar.gz'))
  const order: string[] = []
  const reports: string[] = []
  const done = (name: string, made: Promise<unknown>) => made.then(() => void order.push(name))
  const second = runCommand(w.chat, 'exportData', { file: file('b.tar.gz'), kind: 'full' }, (text) =>
    reports.push(text),
  )
  await w.people.iago.api.post('/export/realm')
  assert.equal(existsSync(file('b.tar.gz.partial')), false)
  await Promise.all([done('first', first), done('second', second), done('third', made(w))])
  assert.deepEqual([order[0], reports], ['first', ['Waiting for another export to finish.']])
  assert.deepEqual(readdirSync(folder.path).sort(), ['a.tar.gz', 'b.tar.gz'])
  assert.equal((await w.people.iago.api.get('/export/realm')).exports[0].pending, false)
})
