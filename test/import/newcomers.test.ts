import assert from 'node:assert/strict'
import test from 'node:test'
import { runCommand } from '../../src/admin/commands.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { apiOf, world } from '../../src/testing/index.ts'
import { mailWorld } from '../mail/mail-world.ts'
import { ArchiveFolder, importInto, jsonLines } from './archives.ts'

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
