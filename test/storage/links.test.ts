import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { linkSync, mkdirSync, rmSync, statSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { eventually } from '../eventually.ts'
import { Folder } from './folder.ts'
import { addRow, opened, rows } from './opened.ts'

/** A second name of the database in a folder beside its own, as `cp -al` makes it. */
function linked({ path, file }: Folder): string {
  const other = join(path, 'copy')
  mkdirSync(other)
  linkSync(file, join(other, 'chat.db'))
  return join(other, 'chat.db')
}

test('rejects a hard link to a database in use and names the process using it', async () => {
  using folder = new Folder()
  await using open = await opened(folder.file)
  const other = linked(folder)
  await assert.rejects(opened(other), {
    kind: 'unsupported',
    message: new RegExp(
      `^${other} has 2 names \\(hard links\\).* Process ${process.pid} on .* uses it as ${folder.file}`,
    ),
  })
  await open.store.write((tx) => addRow(tx, 'after'))
  assert.deepEqual((await open.store.inspect()).integrity, ['ok'])
})

test('opens a database with hard links after running the command from the error', async () => {
  using folder = new Folder()
  {
    await using open = await opened(folder.file)
    await open.store.write((tx) => addRow(tx, 'before'))
  }
  const other = linked(folder)
  const error = await opened(folder.file).catch((reason: Error) => reason)
  assert.ok(error instanceof Error)
  const command = /: (cp .* && mv .*)$/.exec(error.message)
  assert.ok(command, error.message)
  assert.match(error.message, new RegExp(other))
  execFileSync('sh', ['-c', command[1]!])
  const before = statSync(other).mtimeMs
  {
    await using open = await opened(folder.file)
    assert.deepEqual(await rows(open.store.db), ['before'])
    await open.store.write((tx) => addRow(tx, 'after'))
  }
  assert.equal(statSync(other).mtimeMs, before)
})

test('warns once when a database in use gets a second link', async () => {
  using folder = new Folder()
  const warnings: string[] = []
  await using open = await opened(folder.file, { warn: (text) => void warnings.push(text) })
  const other = linked(folder)
  await eventually('the link is noticed', () => warnings.length > 0)
  assert.match(warnings[0]!, new RegExp(`has 2 names .*${other}`))
  await open.store.write((tx) => addRow(tx, 'after'))
  rmSync(other)
  linked({ path: join(folder.path, 'copy'), file: folder.file } as Folder)
  assert.equal(warnings.length, 1)
})
