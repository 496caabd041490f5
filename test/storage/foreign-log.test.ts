import assert from 'node:assert/strict'
import { copyFileSync, existsSync, readFileSync, rmSync, truncateSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { killedChild } from './children.ts'
import { Folder } from './folder.ts'
import { addEvents, countEvents, opened } from './opened.ts'

const foreign = {
  kind: 'unsupported',
  message: /^\S+chat\.db-wal does not belong to \S+chat\.db\. .* Nothing was changed\. /,
}

/** A database of 10 events with a backup of it, and the log of a later server that was killed. */
async function scene(copy: 'backup' | 'cp') {
  const folder = new Folder()
  const backup = join(folder.path, 'copy.db')
  {
    await using open = await opened(folder.file)
    await open.store.write((tx) => addEvents(tx, 10))
    if (copy === 'backup') await open.store.backup(backup)
  }
  if (copy === 'cp') copyFileSync(folder.file, backup)
  await using other = killedChild('serve', folder.file)
  assert.equal(await other.line(), 'stored')
  return { ...folder, folder, backup, [Symbol.dispose]: () => folder[Symbol.dispose]() }
}

for (const copy of ['backup', 'cp'] as const) {
  test(`rejects the log of the previous database beside a ${copy} of it and changes neither`, async () => {
    using s = await scene(copy)
    copyFileSync(s.backup, s.file)
    const before = [s.file, `${s.file}-wal`].map((path) => readFileSync(path))
    for (let i = 0; i < 2; i++) await assert.rejects(opened(s.file), foreign)
    assert.deepEqual(
      [s.file, `${s.file}-wal`].map((path) => readFileSync(path)),
      before,
    )
    rmSync(`${s.file}-wal`)
    await using open = await opened(s.file)
    assert.equal(await countEvents(open.store.db), 10)
  })
}

test("rejects another database's log even without state about either", async () => {
  using s = await scene('backup')
  using elsewhere = new Folder()
  copyFileSync(s.backup, elsewhere.file)
  copyFileSync(`${s.file}-wal`, `${elsewhere.file}-wal`)
  await assert.rejects(opened(elsewhere.file), foreign)
  assert.equal(existsSync(`${elsewhere.file}.owner`), false)
})

test('opens a database with its own log after a move with or without its state file', async () => {
  using s = await scene('backup')
  for (const ends of [
    ['', '-wal', '.state'],
    ['', '-wal'],
  ]) {
    using elsewhere = new Folder()
    for (const end of ends) copyFileSync(s.file + end, elsewhere.file + end)
    await using open = await opened(elsewhere.file)
    assert.equal(await countEvents(open.store.db), 310)
  }
})

test('applies a rejected log once the state file is emptied', async () => {
  using s = await scene('cp')
  copyFileSync(s.backup, s.file)
  await assert.rejects(opened(s.file), foreign)
  truncateSync(`${s.file}.state`)
  await using open = await opened(s.file)
  assert.equal(await countEvents(open.store.db), 310)
})
