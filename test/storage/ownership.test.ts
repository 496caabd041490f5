import assert from 'node:assert/strict'
import { existsSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { hostname } from 'node:os'
import test from 'node:test'
import { sql } from 'kysely'
import { openDatabase } from '../../src/storage/sqlite/driver.ts'
import { type Child, child, killedChild } from './children.ts'
import { Folder } from './folder.ts'
import { addRow, opened, rows } from './opened.ts'

interface Attempt {
  kind: string
  message: string
}

async function attempt(file: string): Promise<Attempt> {
  await using other: Child = child('try', file)
  return JSON.parse(await other.line())
}

test('rejects a second process immediately and names the owner', async () => {
  using folder = new Folder()
  await using open = await opened(folder.file)
  await open.store.write((tx) => addRow(tx, 'before'))
  let refused: Attempt | undefined
  const attempts = attempt(folder.file).then((found) => (refused = found))
  // The owner continues to write.
  while (!refused) {
    await open.store.write((tx) => addRow(tx, 'meanwhile'))
    await new Promise(setImmediate)
  }
  const { kind, message } = await attempts
  assert.equal(kind, 'busy')
  assert.ok(message.includes(`process ${process.pid} on ${hostname()}, since 20`), message)
  assert.equal((await rows(open.store.db))[0], 'before')
})

test('rejects a second open in the same process', async () => {
  using folder = new Folder()
  await using open = await opened(folder.file)
  await assert.rejects(opened(folder.file), { kind: 'busy' })
  // The refused process did not remove any files of the first.
  assert.ok(existsSync(`${folder.file}.lock`))
  await open.store.write((tx) => addRow(tx, 'a'))
})

test('rejects a file locked by another program immediately', async () => {
  using folder = new Folder()
  await using _ = await opened(folder.file)
  await _.store.close()
  await using other = killedChild('lock', folder.file)
  assert.equal(await other.line(), 'locked')
  await assert.rejects(opened(folder.file), { kind: 'busy', message: /in use by another process/ })
})

test('the driver never waits for a lock', async () => {
  const database = openDatabase(':memory:')
  assert.equal(database.pragma('busy_timeout', { simple: true }), 0)
  database.close()
  using folder = new Folder()
  await using open = await opened(folder.file)
  const { rows } = await sql<{ timeout: number }>`pragma busy_timeout`.execute(open.store.db)
  assert.equal(rows[0]!.timeout, 0)
})

test('the private lock file names its holder and disappears on close', async () => {
  using folder = new Folder()
  const lock = `${folder.file}.lock`
  await using open = await opened(folder.file)
  const { pid, host } = JSON.parse(readFileSync(lock, 'utf8'))
  assert.deepEqual({ pid, host }, { pid: process.pid, host: hostname() })
  assert.equal(statSync(lock).mode & 0o077, 0)
  await Promise.all([open.store.close(), open.store.close()])
  assert.equal(existsSync(lock), false)
  await using again = await opened(folder.file)
  await again.store.close()
})

test('kill -9 frees the file', async () => {
  using folder = new Folder()
  {
    await using other = killedChild('hold', folder.file)
    await other.line()
    await assert.rejects(opened(folder.file), { kind: 'busy', message: new RegExp(`process ${other.process.pid} on`) })
  }
  assert.ok(existsSync(`${folder.file}.lock`))
  await using open = await opened(folder.file)
  assert.equal(JSON.parse(readFileSync(`${folder.file}.lock`, 'utf8')).pid, process.pid)
  await open.store.write((tx) => addRow(tx, 'a'))
})

test('contents of a lock file do no harm', async () => {
  using folder = new Folder()
  for (const text of ['', '{', 'null', '{"pid":1,"host":"elsewhere","since":"2001"}', '\0'.repeat(100)]) {
    writeFileSync(`${folder.file}.lock`, text)
    await using open = await opened(folder.file)
    await open.store.close()
  }
  // Also while the owner of the file is unknown.
  await using _ = await opened(folder.file)
  for (const text of ['', 'null', '{}', '[1]', '{"pid":{}}']) {
    writeFileSync(`${folder.file}.lock`, text)
    await assert.rejects(opened(folder.file), { kind: 'busy', message: /in use by another process/ }, text)
  }
})
