import assert from 'node:assert/strict'
import { execFileSync, spawnSync } from 'node:child_process'
import { mkdirSync, statfsSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { sql } from 'kysely'
import type { StorageError, Store } from '../../src/storage/index.ts'
import { Folder } from './folder.ts'
import { addRow, opened, rows } from './opened.ts'

const long = 'x'.repeat(20_000)

/** Limits how many more pages the database may use; undefined for no limit. */
async function allow(store: Store, more: number | undefined): Promise<void> {
  await store.write(async ({ db }) => {
    const { rows: counted } = await sql<{ page_count: number }>`pragma page_count`.execute(db)
    const most = more === undefined ? 1_000_000 : counted[0]!.page_count + more
    await sql`pragma max_page_count = ${sql.lit(most)}`.execute(db)
  })
}

test('a full disk rejects the entire write, and the next one works once there is room', async () => {
  using folder = new Folder()
  let broken = false
  await using open = await opened(folder.file, {
    onBroken: () => {
      broken = true
    },
  })
  const { store } = open
  await store.write((tx) => addRow(tx, 'before'))
  await allow(store, 3)
  const full = { name: 'StorageError', kind: 'full', message: /disk is full. Nothing was stored/ }
  for (let i = 0; i < 3; i++) {
    await assert.rejects(
      store.write(async (tx) => {
        await addRow(tx, 'small')
        await addRow(tx, long)
      }),
      full,
    )
    // Reads continue to work.
    assert.deepEqual(await rows(store.db), ['before'])
  }
  await allow(store, undefined)
  await store.write((tx) => addRow(tx, long))
  assert.deepEqual(await rows(store.db), ['before', long])
  assert.equal(broken, false)
  assert.deepEqual((await store.inspect()).integrity, ['ok'])
})

test('each write in a commit on a full disk is stored entirely or rejected', async () => {
  using folder = new Folder()
  await using open = await opened(folder.file)
  const { store } = open
  await allow(store, 30)
  const outcomes = await Promise.allSettled(
    Array.from({ length: 40 }, (_, i) =>
      store.write(async (tx) => {
        await addRow(tx, `${i} first`)
        if (i % 4 === 0) await addRow(tx, long)
        await addRow(tx, `${i} last`)
      }),
    ),
  )
  const expected: string[] = []
  for (const [i, outcome] of outcomes.entries()) {
    if (outcome.status === 'rejected') assert.equal((outcome.reason as StorageError).kind, 'full')
    else expected.push(`${i} first`, ...(i % 4 === 0 ? [long] : []), `${i} last`)
  }
  assert.ok(outcomes.some(({ status }) => status === 'rejected'))
  assert.deepEqual(await rows(store.db), expected)
  await allow(store, undefined)
  await store.write((tx) => addRow(tx, 'after'))
})

test('handles a disk that is really full', { skip: !mayMount() && 'needs the right to mount' }, async () => {
  using folder = new Folder()
  const disk = join(folder.path, 'disk')
  mkdirSync(disk)
  execFileSync('mount', ['-t', 'tmpfs', '-o', 'size=3m', 'tmpfs', disk])
  try {
    const file = join(disk, 'chat.db')
    let stored = 0
    {
      await using open = await opened(file)
      const { store } = open
      const fill = async () => {
        for (;;) {
          await store.write((tx) => addRow(tx, long))
          stored++
        }
      }
      for (let round = 0; round < 3; round++) {
        await assert.rejects(fill(), { kind: 'full' })
        assert.equal((await rows(store.db)).length, stored)
        await assert.rejects(store.backup(join(disk, 'copy.db')), { kind: 'full' })
        execFileSync('mount', ['-o', `remount,size=${6 + round * 3}m`, disk])
      }
      await store.write((tx) => addRow(tx, 'last'))
      stored++
      const { blocks, bfree, bsize } = statfsSync(disk)
      execFileSync('mount', ['-o', `remount,size=${(blocks - bfree) * bsize}`, disk])
      // Closing on a full disk loses nothing either.
    }
    execFileSync('mount', ['-o', 'remount,size=40m', disk])
    await using again = await opened(file)
    assert.equal((await rows(again.store.db)).length, stored)
    assert.deepEqual((await again.store.inspect()).integrity, ['ok'])
  } finally {
    execFileSync('umount', ['-l', disk])
  }
})

test('a failing disk stops all writes and keeps acknowledged ones', async () => {
  using folder = new Folder()
  const script = fileURLToPath(new URL('child.ts', import.meta.url))
  // Beyond this size every write of a file fails, which SQLite treats as a disk error.
  const command = `trap '' XFSZ; ulimit -f 4000; exec "$@"`
  const args = ['-c', command, 'sh', process.execPath, script, 'fill', folder.file]
  const { stdout } = spawnSync('sh', args, { encoding: 'utf8', env: { ...process.env, TSX_DISABLE_CACHE: '1' } })
  const detail = JSON.parse(stdout)
  assert.deepEqual({ kind: detail.kind, again: detail.again }, { kind: 'broken', again: 'broken' })
  assert.match(
    detail.broken,
    /^The disk of .*chat\.db failed or was removed \(disk I\/O error; see the system log\)\. /,
  )
  assert.ok(detail.acknowledged > 10)
  await using open = await opened(folder.file)
  assert.equal((await rows(open.store.db)).length, detail.acknowledged)
  assert.deepEqual((await open.store.inspect()).integrity, ['ok'])
})

function mayMount(): boolean {
  using folder = new Folder()
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=1m', 'tmpfs', folder.path]).status !== 0) return false
  return spawnSync('umount', [folder.path]).status === 0
}
