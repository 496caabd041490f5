import assert from 'node:assert/strict'
import {
  copyFileSync,
  mkdirSync,
  readdirSync,
  renameSync,
  rmSync,
  symlinkSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import type { StorageError } from '../../src/storage/index.ts'
import { eventually } from '../eventually.ts'
import { Folder } from './folder.ts'
import { addRow, opened, rows } from './opened.ts'

const deeds: [string, (folder: Folder) => void][] = [
  ['removed', ({ file }) => rmSync(file)],
  ['renamed', ({ file }) => renameSync(file, `${file}.old`)],
  [
    'replaced',
    ({ file }) => {
      copyFileSync(file, `${file}.new`)
      renameSync(`${file}.new`, file)
    },
  ],
  ['robbed of its log', ({ file }) => rmSync(`${file}-wal`)],
  ['moved with its folder', ({ path }) => renameSync(path, `${path}-moved`)],
]
for (const [what, deed] of deeds) {
  test(`stops with one sentence and acknowledges nothing after a database is ${what}`, async () => {
    using folder = new Folder()
    let reported: StorageError | undefined
    await using open = await opened(folder.file, { onBroken: (error) => (reported = error) })
    const { store } = open
    await store.write((tx) => addRow(tx, 'before'))
    deed(folder)
    const sentence = {
      kind: 'broken',
      message: /^\S+ was removed, renamed or replaced while it was in use, so .*\.$/,
    }
    await assert.rejects(
      store.write((tx) => addRow(tx, 'after')),
      sentence,
    )
    assert.match(reported!.message, sentence.message)
    await assert.rejects(
      store.write((tx) => addRow(tx, 'later')),
      sentence,
    )
    await store.close()
    rmSync(`${folder.path}-moved`, { recursive: true, force: true })
  })
}

test('notices a removed database even without writes', async () => {
  using folder = new Folder()
  let noticed: StorageError | undefined
  await opened(folder.file, { onBroken: (error) => (noticed = error) })
  rmSync(folder.file)
  await eventually('it is noticed', () => noticed)
  assert.equal(noticed!.kind, 'broken')
})

test("creates no new database beside another's secret or log", async () => {
  using folder = new Folder()
  const { file } = folder
  {
    await using open = await opened(file)
    await open.store.write((tx) => addRow(tx, 'before'))
    copyFileSync(`${file}-wal`, join(folder.path, 'kept-wal'))
  }
  for (const make of [
    () => renameSync(join(folder.path, 'kept-wal'), `${file}-wal`),
    () => {
      rmSync(`${file}-wal`)
      writeFileSync(`${file}.secret`, 'x')
    },
  ]) {
    rmSync(file, { force: true })
    make()
    const refusal = {
      kind: 'misuse',
      message: /is missing, but .*chat\.db(-wal|\.secret) exists.* restore a backup .* remove .* first/,
    }
    await assert.rejects(opened(file), refusal)
    writeFileSync(file, '')
    await assert.rejects(opened(file), { kind: 'misuse', message: /is empty, but/ })
  }
  // As the message says. The state of the former database remains.
  rmSync(`${file}.secret`)
  rmSync(file)
  await using _ = await opened(file)
})

test('resolves a symbolic link for companion files and ownership', async () => {
  using folder = new Folder()
  const real = join(folder.path, 'disk')
  mkdirSync(real)
  symlinkSync('disk/there.db', folder.file)
  await using open = await opened(folder.file)
  const { store } = open
  await store.write((tx) => addRow(tx, 'one'))
  assert.deepEqual(readdirSync(folder.path).sort(), ['chat.db', 'disk'])
  assert.ok(readdirSync(real).includes('there.db-wal'))
  await assert.rejects(opened(join(real, 'there.db')), { kind: 'busy' })
  await store.close()
  await using again = await opened(join(real, 'there.db'))
  assert.deepEqual(await rows(again.store.db), ['one'])
  symlinkSync('circle', join(folder.path, 'circle'))
  await assert.rejects(opened(join(folder.path, 'circle')), { kind: 'misuse', message: /points back to itself/ })
})

test('rejects a truncated database at startup', async () => {
  using folder = new Folder()
  {
    await using open = await opened(folder.file)
    await open.store.write((tx) => addRow(tx, 'x'.repeat(100_000)))
  }
  truncateSync(folder.file, 60_000)
  await assert.rejects(opened(folder.file), { kind: 'broken', message: /chat\.db is damaged, likely by its disk/ })
})
