import assert from 'node:assert/strict'
import { existsSync, mkdirSync, readdirSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { setImmediate } from 'node:timers/promises'
import { runCommand } from '../../../src/admin/commands.ts'
import { sweep } from '../../../src/core/events/queues/sweep.ts'
import { contextOf, inSnapshot } from '../../../src/core/kernel/context.ts'
import { diskSpaceOf } from '../../../src/core/kernel/disk-space.ts'
import { storeOf } from '../../../src/core/kernel/store.ts'
import { openChat } from '../../../src/core/open-chat.ts'
import { exporterOf } from '../../../src/core/organization/exports/exporter.ts'
import { receiptsIn } from '../../../src/core/organization/exports/tables/receipts.ts'
import { scopeOf } from '../../../src/core/organization/exports/tables/scope.ts'
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

test('after a restart, removes what an interrupted export left on the disk', async () => {
  using folder = new TemporaryFolder()
  const db = join(folder.path, 'chat.db')
  {
    await using w = await world({ chat: { db } })
    await storeOf(w.chat).write(({ db }) =>
      db.insertInto('data_export').values({ user_id: w.iago.id, kind: 1, requested_at: 1, begun_at: 2 }).execute(),
    )
  }
  mkdirSync(`${db}.export`)
  writeFileSync(join(`${db}.export`, 'archive.tar.gz.partial'), 'cut off')
  await using chat = await openChat({ db })
  await exporterOf(chat).settled()
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

test('an archive holds the messages from before it began, and no snapshot spans all of them', async () => {
  using folder = new TemporaryFolder()
  await using w = await world({ chat: { db: join(folder.path, 'chat.db') } })
  const { hamlet } = w.people
  const say = (content: string) => hamlet.says(content, { stream: 'general', topic: 't' })
  for (let i = 0; i < 30; i++) await Promise.all(Array.from({ length: 100 }, (_, each) => say(`${i} ${each}`)))
  const store = storeOf(w.chat)
  let isRead = 0
  let pages = 0
  const { snapshot } = store
  // Each message page ends its snapshot, so that the log can begin again, and something is sent before the next one.
  const observed: typeof snapshot = async (work, options) => {
    isRead++
    try {
      assert.equal(isRead, 1)
      return await snapshot(work, options)
    } finally {
      isRead--
      pages++
      await say('during the export')
    }
  }
  Object.assign(store, { snapshot: observed })
  const { rows } = await exported(w.chat, 'full')
  assert.ok(pages >= 5, `the scope, three pages of messages and the rest: ${pages}`)
  const sent = rows('zerver_message').map(({ content }: Row) => content)
  assert.equal(sent.includes('29 99'), true)
  assert.equal(sent.includes('during the export'), false)
  assert.equal(new Set(rows('zerver_message').map(({ id }: Row) => id)).size, sent.length)
})

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

test('stops while the reserve of the disk is still free, and leaves no file', async () => {
  using folder = new TemporaryFolder()
  using exports = new TemporaryFolder()
  await using w = await world({ chat: { db: join(folder.path, 'chat.db') } })
  const { iago } = w.people
  await iago.says('words')
  const space = diskSpaceOf(w.chat)
  const file = join(exports.path, 'all.tar.gz')
  let hasRoom = true
  const { snapshot } = storeOf(w.chat)
  // The disk fills up after the first snapshot of the export.
  Object.assign(storeOf(w.chat), {
    snapshot: (...given: Parameters<typeof snapshot>) =>
      snapshot(...given).finally(() => {
        hasRoom = false
      }),
  })
  Object.assign(space, { hasRoomIn: () => hasRoom })
  await assert.rejects(
    runCommand(w.chat, 'exportData', { file, kind: 'full' }, () => {}),
    {
      message: `Not enough disk space for ${file}. 64 MiB must stay free.`,
    },
  )
  assert.deepEqual(readdirSync(exports.path), [])
  await iago.api.post('/export/realm')
  await made(w)
  const [{ failed_timestamp, export_url }] = (await iago.api.get('/export/realm')).exports
  assert.deepEqual([typeof failed_timestamp, export_url], ['number', null])
  assert.deepEqual(
    readdirSync(folder.path).filter((name) => name.includes('export')),
    [],
  )
})

test('leaves out a file that is deleted before its turn', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const [kept, gone] = [await upload(hamlet), await upload(hamlet)]
  await hamlet.says(`[one](${kept}) and [another](${gone})`)
  const { attachments } = await hamlet.api.get('/attachments')
  const id = attachments.find((one: Row) => gone.endsWith(one.path_id)).id
  const store = storeOf(w.chat)
  const { snapshot } = store
  let isDeleted = false
  Object.assign(store, {
    snapshot: async (...given: Parameters<typeof snapshot>) => {
      const read = await snapshot(...given)
      if (!isDeleted) assert.equal((await hamlet.api.delete(`/attachments/${id}`)).msg, '')
      isDeleted = true
      return read
    },
  })
  const contents = await exported(w.chat, 'full')
  const paths = (rows: Row[], name: string) => rows.map((row) => row[name]).map((path) => `/user_uploads/${path}`)
  assert.deepEqual(paths(contents.json('uploads/records.json'), 'path'), [kept])
  assert.deepEqual(paths(contents.rows('zerver_attachment'), 'path_id'), [kept])
})

test('an archive knows who received and read a message, however often they left and came back', async () => {
  await using w = await world({
    streams: { verona: { members: ['hamlet', 'cordelia'] }, padua: { members: ['cordelia'] } },
  })
  const { hamlet, cordelia } = w.people
  const ids: number[] = []
  const say = async (stream = 'verona') => void ids.push((await hamlet.says('words', { stream, topic: 't' })).id)
  const path = '/users/me/subscriptions'
  for (let i = 0; i < 3; i++) {
    for (let each = 0; each < 4; each++) await say()
    await say('padua')
    const messages = ids.slice(-5).filter((_, n) => n % 2 === 0)
    await cordelia.api.post('/messages/flags', { messages, op: 'add', flag: 'read' })
    // Leaving marks the others as read.
    await cordelia.api.delete(path, { subscriptions: ['verona'] })
    await say()
    await cordelia.api.post(path, { subscriptions: [{ name: 'verona' }] })
  }
  for (let each = 0; each < 4; each++) await say()
  await cordelia.api.post('/messages/flags', { messages: [ids.at(-4), ids.at(-2)], op: 'add', flag: 'read' })
  await cordelia.api.post('/messages/flags', { messages: [ids[5]], op: 'add', flag: 'starred' })
  const read = await inSnapshot(contextOf(w.chat), async (reader) => {
    const scope = await scopeOf(reader, 'full')
    const messages = await reader.db.selectFrom('message').selectAll().where('id', 'in', ids).orderBy('id').execute()
    // With room for one place only, each message reads its place again.
    const [all, one] = [receiptsIn(scope), receiptsIn(scope, 1)]
    const flagsOf = async (receipts: typeof all, list: typeof messages) => {
      const visit = await receipts({ reader, db: reader.db }, list)
      return list.map((message) => {
        const flags = new Map<number, number>()
        visit(message, (user, own) => flags.set(user, own))
        return flags.get(cordelia.id)
      })
    }
    const together = await flagsOf(all, messages)
    const apart: (number | undefined)[] = []
    for (const message of messages) apart.push(...(await flagsOf(one, [message])))
    assert.deepEqual(apart, together)
    return together
  })
  // Four of verona, one of padua, and one while she was away, which she starred the first time.
  const round = [1, 1, 1, 1, 1]
  assert.deepEqual(read, [...round, 2 | 1 | 1024, ...round, undefined, ...round, undefined, 1, 0, 1, 0])
})
