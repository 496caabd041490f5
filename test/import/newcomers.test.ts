import assert from 'node:assert/strict'
import test from 'node:test'
import { runCommand } from '../../src/admin/commands.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf, world } from '../../src/testing/index.ts'
import { mailWorld } from '../mail/mail-world.ts'
import { ArchiveFolder, importInto, jsonLines } from './archives.ts'
import { richExports } from './rich-exports.ts'

const archive = () =>
  new ArchiveFolder({
    'import.jsonl': jsonLines(
      { type: 'user', id: 'u1', name: 'Ann', email: 'ann@example.com' },
      { type: 'user', id: 'u2', name: '=Bob, the Cook', email: 'bob@example.com' },
      { type: 'user', id: 'u3', name: 'Stub' },
      { type: 'user', id: 'u4', name: 'Gone', email: 'gone@example.com', active: false },
      { type: 'user', id: 'u5', name: 'Robot', email: 'robot@example.com', bot: true },
      { type: 'user', id: 'u6', name: 'Hamlet', email: 'hamlet@example.com' },
    ),
  })

const invite = (w: { chat: Parameters<typeof runCommand>[0] }, args: object) =>
  runCommand(w.chat, 'inviteNewcomers', args, () => {})

test('creates a link for each imported person without a password', async () => {
  await using w = await world()
  using folder = archive()
  const { import_id } = await importInto(w.chat, folder)
  const { newcomers } = await invite(w, { id: import_id! })
  assert.deepEqual(
    newcomers.map(({ email }) => email),
    ['ann@example.com', 'bob@example.com'],
  )
  const api = apiOf(w.chat)
  const [ann] = newcomers
  const token = new URLSearchParams(ann!.path!.split('?')[1]).get('token')!
  w.clock.advance(6 * 86_400_000)
  assert.equal((await api.post('/password_link', { token, password: 'correct horse battery' })).result, 'success')
  const signedIn = await api.post('/fetch_api_key', { username: 'ann@example.com', password: 'correct horse battery' })
  assert.equal(signedIn.result, 'success')
  const again = await invite(w, { id: import_id! })
  assert.deepEqual(
    again.newcomers.map(({ email }) => email),
    ['bob@example.com'],
  )
  const rows = await storeOf(w.chat)
    .db.selectFrom('audit')
    .selectAll()
    .where('action', '=', 'inviteNewcomers')
    .execute()
  assert.deepEqual(
    rows.map(({ subject_id, after }) => [subject_id, after]),
    [2, 1].map((count) => [import_id, JSON.stringify({ newcomers: count, by: 'links' })]),
  )
  await assert.rejects(invite(w, { id: import_id!, mail: true }), { message: /doesn't send email/ })
  await assert.rejects(invite(w, { id: 99 }), { message: 'Import 99 does not exist' })
})

test('inviting a stub with a known address turns it into an account that keeps everything', async () => {
  await using w = await world()
  using folder = new ArchiveFolder({
    'import.jsonl': jsonLines(
      { type: 'user', id: 'u1', name: 'Yorick', email: 'Yorick@example.com', stub: true },
      { type: 'user', id: 'u2', name: 'Hamlet of old', email: 'hamlet@example.com', stub: true },
      { type: 'user', id: 'u3', name: 'Nobody', stub: true },
      { type: 'user', id: 'u4', name: 'Robot', email: 'r2@example.com', stub: true, bot: true },
      { type: 'user', id: 'u5', name: 'Later', email: 'later@example.com', stub: true },
      { type: 'user', id: 'u6', name: 'Deleted user', email: 'deleted-user-7@erased.invalid', stub: true },
      { type: 'channel', id: 'c', name: 'graveyard' },
      { type: 'subscription', channel: 'c', user: 'u1' },
      { type: 'message', id: 'm', user: 'u1', date: 1_700_000_000, channel: 'c', topic: 'x', content: 'alas' },
    ),
  })
  const { import_id, report } = await importInto(w.chat, folder)
  assert.deepEqual(report.people, { matched: 1, created: 0, stubs: 5, skipped: 0 })
  await w.iago.api.post('/users', { email: 'later@example.com', full_name: 'Later', password: 'correct horse' })
  const { newcomers } = await invite(w, { id: import_id! })
  assert.deepEqual(
    newcomers.map(({ email, full_name }) => [email, full_name]),
    [['yorick@example.com', 'Yorick']],
  )
  const api = apiOf(w.chat)
  const token = new URLSearchParams(newcomers[0]!.path!.split('?')[1]).get('token')!
  const password = 'correct horse battery'
  assert.equal((await api.post('/password_link', { token, password })).result, 'success')
  const { api_key } = await api.post('/fetch_api_key', { username: 'yorick@example.com', password })
  const yorick = apiOf(w.chat, { email: 'yorick@example.com', key: api_key })
  const { messages } = await yorick.get('/messages', {
    ...{ anchor: 'newest', num_before: 5, num_after: 0 },
    narrow: [{ operator: 'sender', operand: 'me' }],
  })
  assert.equal(messages.length, 1)
  assert.deepEqual(
    (await yorick.get('/users/me/subscriptions')).subscriptions.map((one: { name: string }) => one.name),
    ['graveyard'],
  )
  assert.equal((await yorick.get('/users/me')).is_imported_stub, false)
  assert.deepEqual((await invite(w, { id: import_id! })).newcomers, [])
})

test('accounts that Zulip has deleted, and people who hid their address from the export, are not invited', async () => {
  await using w = await world()
  const files = richExports().zulip!
  const realm = files['realm.json'] as { zerver_userprofile_mirrordummy: { id: number; delivery_email: string }[] }
  const [gone] = realm.zerver_userprofile_mirrordummy
  const hidden = `exported-user-${'a1'.repeat(16)}@chat.example.com`
  realm.zerver_userprofile_mirrordummy.push(
    { ...gone!, id: 16, delivery_email: 'deleteduser16@chat.example.com' },
    { ...gone!, id: 17, delivery_email: hidden },
    { ...gone!, id: 18, delivery_email: 'exported-user-guide@example.com' },
  )
  using folder = new ArchiveFolder(files)
  const { import_id } = await importInto(w.chat, folder)
  const emails = (await invite(w, { id: import_id! })).newcomers.map(({ email }) => email)
  assert.ok(emails.includes('gone@example.com'))
  assert.deepEqual(
    emails.filter((email) => /^(?:deleted|exported)/.test(email)),
    ['exported-user-guide@example.com'],
  )
})

test('sends newcomers their links by email, once', async () => {
  await using m = await mailWorld()
  using folder = archive()
  const { import_id } = await importInto(m.w.chat, folder)
  for (let n = 0; n < 2; n++) {
    const { newcomers } = await invite(m.w, { id: import_id!, mail: true })
    assert.deepEqual(
      newcomers.map(({ path }) => path),
      [null, null],
    )
  }
  const mails = await m.sent()
  assert.deepEqual(mails.map(({ to }) => to.address).sort(), ['ann@example.com', 'bob@example.com'])
  await runCommand(m.w.chat, 'undoImport', { id: import_id! }, () => {})
  await assert.rejects(invite(m.w, { id: import_id!, mail: true }), { message: /was undone/ })
})
