import assert from 'node:assert/strict'
import {
  copyFileSync,
  existsSync,
  mkdirSync,
  readdirSync,
  readFileSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { gunzipSync } from 'node:zlib'
import Database from 'better-sqlite3'
import { restore } from '../../src/admin/restore.ts'
import { actAs, type Chat, createOrganization, openChat, sendMessage } from '../../src/index.ts'

import { TemporaryFolder } from '../temporary-folder.ts'

const open = (db: string): Promise<Chat> => openChat({ db, passwordCost: 4 })
const say = async (chat: Chat, content: string) =>
  (
    await sendMessage(await actAs(chat, { email: 'o@example.com' }), {
      type: 'stream',
      to: 'general',
      topic: 't',
      content,
    })
  ).id

/** An organization in `chat.db` and a backup of it with a message in `copy.db`, taken before a second one was sent. */
async function scene() {
  const folder = new TemporaryFolder()
  const at = (name: string) => join(folder.path, name)
  const db = at('chat.db')
  const copy = at('copy.db')
  const chat = await open(db)
  const { api_key } = await createOrganization(chat, { org: 'o', owner_email: 'o@example.com', owner_name: 'Olga' })
  await say(chat, 'kept')
  await chat.close()
  for (const end of ['', '.secret']) copyFileSync(db + end, copy + end)
  const again = await open(db)
  const lost = await say(again, 'lost')
  await again.close()
  return { folder, at, db, copy, api_key, lost, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

/** All files of a folder with their bytes. */
const picture = (path: string) =>
  readdirSync(path).map((name) => `${name} ${readFileSync(join(path, name)).toString('base64')}`)

/** Messages after the server's own welcome. */
async function messages(db: string): Promise<string[]> {
  const database = new Database(db, { readonly: true })
  const found = database
    .prepare("select content from message where content not like 'Hello, and welcome%' order by id")
    .pluck()
    .all() as string[]
  database.close()
  return found
}

test('a backup replaces the database, its keys work and no id is reused', async () => {
  using s = await scene()
  const restored = await restore(s.copy, s.db, true)
  assert.deepEqual([restored.replaced, restored.messages, restored.users, restored.secret], [true, 2, 1, 'restored'])
  assert.ok(restored.ids.message >= s.lost + 1_000_000)
  assert.deepEqual(await messages(s.db), ['kept'])
  await using chat = await open(s.db)
  assert.equal((await actAs(chat, { api_key: s.api_key })).user.email, 'o@example.com')
  assert.equal(await say(chat, 'new'), restored.ids.message + 1)
})

test('a second restore continues after the ids of the first', async () => {
  using s = await scene()
  const first = await restore(s.copy, s.db, true)
  {
    await using chat = await open(s.db)
    await say(chat, 'between')
  }
  const second = await restore(s.copy, s.db, true)
  assert.equal(second.ids.message, first.ids.message + 1 + 1_000_000)
  assert.ok(second.ids.event >= first.ids.event + 10_000_000)
})

test('reuses no ids of users, images or other numbered rows', async () => {
  using s = await scene()
  const ids = () => {
    const database = new Database(s.db, { readonly: true })
    const rows = database.prepare('select name, seq from sqlite_sequence').raw().all() as [string, number][]
    database.close()
    return new Map(rows)
  }
  const before = ids()
  assert.ok(before.size > 5)
  await restore(s.copy, s.db, true)
  const after = ids()
  for (const [table, id] of before) assert.ok(after.get(table)! >= id + 10_000, table)
})

test('never replaces a database in use, and an existing one only with --force', async () => {
  using s = await scene()
  await assert.rejects(restore(s.copy, s.db, false), /chat\.db already exists. Use --force to replace it/)
  await using _ = await open(s.db)
  for (const force of [false, true]) {
    await assert.rejects(restore(s.copy, s.db, force), {
      kind: 'busy',
      message: new RegExp(`process ${process.pid} on`),
    })
  }
  await assert.rejects(restore(s.db, s.at('other.db'), false), { kind: 'busy' })
  assert.equal(existsSync(s.at('other.db')), false)
})

test('rejects an incomplete backup and changes nothing', async (t) => {
  using s = await scene()
  const bad = (name: string, make: (file: string) => void) => {
    copyFileSync(s.copy, s.at(name))
    make(s.at(name))
    return s.at(name)
  }
  const table: [string, string, RegExp][] = [
    ['absent', s.at('absent'), /absent does not exist/],
    ['the database itself', s.db, /is the database itself/],
    ['empty', bad('empty', (file) => truncateSync(file, 0)), /is not a chat-server database/],
    ['text', bad('text', (file) => writeFileSync(file, 'Dear diary, '.repeat(1000))), /is not a chat-server database/],
    ['cut', bad('cut', (file) => truncateSync(file, 40_960)), /cut is damaged/],
    ['of another program', bad('other', ofAnotherProgram), /other is not a chat-server database/],
    ['a damaged page', bad('page', damage), /page is damaged/],
    ['of a newer version', bad('newer', ofNewerVersion), /newer chat-server/],
    ['without an organization', bad('void', withoutOrganization), /contains no organization/],
  ]
  const before = picture(s.folder.path)
  for (const [title, file, message] of table) {
    await t.test(title, async () => {
      await assert.rejects(restore(file, s.db, true), message)
      assert.deepEqual(picture(s.folder.path), before)
    })
  }
})

function alter(file: string, sql: string): void {
  const database = new Database(file)
  database.pragma('journal_mode = DELETE')
  database.exec(sql)
  database.close()
}
const withoutOrganization = (file: string) => alter(file, 'delete from organization')
const ofNewerVersion = (file: string) => alter(file, "insert into migration values ('9999-01-01-future', 0)")
function ofAnotherProgram(file: string): void {
  rmSync(file)
  alter(file, 'create table bookmark (url text)')
}

/** Overwrites the pages of an index, which opening alone does not read. */
function damage(file: string): void {
  const database = new Database(file)
  const page = database
    .prepare("select rootpage from sqlite_master where name = 'message_sender'")
    .pluck()
    .get() as number
  const size = database.pragma('page_size', { simple: true }) as number
  database.close()
  const bytes = readFileSync(file)
  bytes.fill(0x55, (page - 1) * size, page * size)
  writeFileSync(file, bytes)
}

test('ignores a leftover log of another database', async () => {
  using s = await scene()
  // The files of a killed server: the log is not in the database file.
  const other = new Database(s.at('killed.db'))
  other.pragma('journal_mode = WAL')
  other.exec("create table bookmark (url text); insert into bookmark values ('x')")
  copyFileSync(s.at('killed.db-wal'), `${s.db}-wal`)
  other.close()
  rmSync(s.db)
  await restore(s.copy, s.db, false)
  assert.equal(existsSync(`${s.db}-wal`), false)
  assert.deepEqual(await messages(s.db), ['kept'])
})

test('restores copied files together with the log beside them', async () => {
  using s = await scene()
  const folder = s.at('files')
  mkdirSync(folder)
  const chat = await open(s.db)
  await say(chat, 'in the log')
  for (const end of ['', '-wal', '.secret']) copyFileSync(s.db + end, join(folder, `chat.db${end}`))
  await chat.close()
  await restore(join(folder, 'chat.db'), s.db, true)
  assert.deepEqual(await messages(s.db), ['kept', 'lost', 'in the log'])
})

test('replaces an unreadable database', async () => {
  using s = await scene()
  writeFileSync(s.db, 'rubbish')
  writeFileSync(`${s.db}-wal`, 'rubbish')
  await restore(s.copy, s.db, true)
  assert.deepEqual(await messages(s.db), ['kept'])
})

test('restores the secret, keeps a matching one and sets aside a foreign one', async () => {
  using s = await scene()
  const secret = readFileSync(`${s.db}.secret`, 'utf8')
  rmSync(`${s.copy}.secret`)
  assert.equal((await restore(s.copy, s.db, true)).secret, 'kept')
  assert.equal(readFileSync(`${s.db}.secret`, 'utf8'), secret)

  writeFileSync(`${s.db}.secret`, `${'ab'.repeat(32)}\n`)
  const without = await restore(s.copy, s.db, true)
  assert.deepEqual([without.secret, without.former_secret], ['missing', `${s.db}.secret.replaced`])
  assert.match(readFileSync(`${s.db}.secret.replaced`, 'utf8'), /^(ab){32}\n$/)
  assert.equal(existsSync(`${s.db}.secret`), false)

  writeFileSync(`${s.copy}.secret`, `${'cd'.repeat(32)}\n`)
  const before = picture(s.folder.path)
  await assert.rejects(restore(s.copy, s.db, true), /copy\.db\.secret is not the secret of .*copy\.db/)
  writeFileSync(`${s.copy}.secret`, 'half')
  await assert.rejects(restore(s.copy, s.db, true), /copy\.db\.secret is damaged/)
  writeFileSync(`${s.copy}.secret`, `${'cd'.repeat(32)}\n`)
  assert.deepEqual(picture(s.folder.path), before)
})

test('restores a backup from before the first release', async () => {
  using s = await scene()
  writeFileSync(s.at('old.db'), gunzipSync(readFileSync(new URL('../fixtures/chat-2026-11-27.db.gz', import.meta.url))))
  const { secret, messages } = await restore(s.at('old.db'), s.at('new.db'), false)
  assert.equal(secret, 'missing')
  assert.ok(messages > 0)
  await using chat = await open(s.at('new.db'))
  await chat.close()
  assert.deepEqual(
    readdirSync(s.folder.path).filter((name) => /restoring|before/.test(name)),
    [],
  )
})

test('follows a symbolic link to the database', async () => {
  using s = await scene()
  mkdirSync(s.at('real'))
  for (const end of ['', '.secret']) renameSync(s.db + end, s.at(`real/chat.db${end}`))
  symlinkSync(s.at('real/chat.db'), s.db)
  await restore(s.copy, s.db, true)
  assert.deepEqual(readdirSync(s.at('real')).sort(), ['chat.db', 'chat.db.secret', 'chat.db.state'])
  assert.deepEqual(await messages(s.at('real/chat.db')), ['kept'])
})
