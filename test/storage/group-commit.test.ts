import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import type { WriteScope } from '../../src/storage/index.ts'
import { Folder } from './folder.ts'
import { addRow, opened, rows } from './opened.ts'

const HEADER = 32
const FRAME_HEADER = 24

/** Commits in the write-ahead log: the frames that contain the size of the database after them. */
function commits(file: string): number {
  const wal = readFileSync(`${file}-wal`)
  const pageSize = wal.readUInt32BE(8)
  const salt = wal.subarray(16, 24)
  let count = 0
  for (let at = HEADER; at + FRAME_HEADER <= wal.length; at += FRAME_HEADER + pageSize) {
    // Frames left from an earlier checkpoint have other salts.
    if (wal.subarray(at + 8, at + 16).equals(salt) && wal.readUInt32BE(at + 4) > 0) count++
  }
  return count
}

/** Opens a store whose next commit is appended to its log: the first one after the start begins the log again. */
async function openedWithLog(file: string) {
  const open = await opened(file, { groupMs: 1000 })
  const id = await open.store.write((tx) => addRow(tx, 'first'))
  await open.store.write(({ db }) => db.deleteFrom('blob').where('id', '=', id).execute())
  return open
}

const numbers = (n: number) => Array.from({ length: n }, (_, i) => String(i))

test('writes in one turn share a commit', async () => {
  using folder = new Folder()
  await using open = await openedWithLog(folder.file)
  const { store } = open
  const before = commits(folder.file)
  const ids = await Promise.all(numbers(100).map((text) => store.write((tx) => addRow(tx, text))))
  assert.equal(commits(folder.file) - before, 1)
  assert.deepEqual(await rows(store.db), numbers(100))
  assert.equal(new Set(ids).size, 100)
})

test("writes in different turns don't share a commit", async () => {
  using folder = new Folder()
  await using open = await openedWithLog(folder.file)
  const before = commits(folder.file)
  for (const text of numbers(5)) await open.store.write((tx) => addRow(tx, text))
  assert.equal(commits(folder.file) - before, 5)
})

test('splits too many writes into several commits in order', async () => {
  using folder = new Folder()
  await using open = await openedWithLog(folder.file)
  const { store } = open
  const before = commits(folder.file)
  await Promise.all(numbers(1000).map((text) => store.write((tx) => addRow(tx, text))))
  assert.equal(commits(folder.file) - before, 4)
  assert.deepEqual(await rows(store.db), numbers(1000))
})

test('a failing write rolls back only itself', async () => {
  await using open = await opened(':memory:')
  const { store } = open
  const outcomes = await Promise.allSettled(
    numbers(9).map((text) =>
      store.write(async (tx) => {
        const id = await addRow(tx, text)
        await addRow(tx, `${text} again`)
        if (Number(text) % 3 === 1) throw new Error(`no ${text}`)
        return id
      }),
    ),
  )
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status === 'fulfilled'),
    [true, false, true, true, false, true, true, false, true],
  )
  assert.equal((outcomes[1] as PromiseRejectedResult).reason.message, 'no 1')
  assert.deepEqual(
    await rows(store.db),
    ['0', '2', '3', '5', '6', '8'].flatMap((text) => [text, `${text} again`]),
  )
})

test('other writes run again only if one fails after a change', async () => {
  await using open = await opened(':memory:')
  const { store } = open
  async function runsWith(failing: (tx: WriteScope) => Promise<unknown>): Promise<number[]> {
    const runs = [0, 0, 0]
    const outcomes = await Promise.allSettled(
      runs.map((_, i) =>
        store.write(async (tx) => {
          runs[i]!++
          return i === 1 ? failing(tx) : addRow(tx, 'it stays')
        }),
      ),
    )
    assert.deepEqual(
      outcomes.map(({ status }) => status),
      ['fulfilled', 'rejected', 'fulfilled'],
    )
    return runs
  }
  const fail = () => Promise.reject(new Error('no'))
  assert.deepEqual(await runsWith(fail), [1, 1, 1])
  assert.deepEqual(await runsWith(({ db }) => db.selectFrom('blob').select('id').execute().then(fail)), [1, 1, 1])
  assert.deepEqual(await runsWith((tx) => addRow(tx, 'it goes').then(fail)), [2, 2, 1])
  assert.deepEqual(await rows(store.db), Array(6).fill('it stays'))
})

test('a database error rolls back only its own write', async () => {
  await using open = await opened(':memory:')
  const { store } = open
  const twice = store.write(async ({ db }) => {
    const id = await addRow({ db }, 'twice')
    await db.insertInto('blob').values({ id, size: 0, content_type: 'twice', created_at: 0 }).execute()
  })
  const [first, , third] = await Promise.allSettled([
    store.write((tx) => addRow(tx, 'a')),
    twice,
    store.write((tx) => addRow(tx, 'b')),
  ])
  await assert.rejects(twice, /UNIQUE|unique constraint/)
  assert.deepEqual([first!.status, third!.status], ['fulfilled', 'fulfilled'])
  assert.deepEqual(await rows(store.db), ['a', 'b'])
})

test('a lone failing write leaves nothing', async () => {
  using folder = new Folder()
  await using open = await openedWithLog(folder.file)
  const { store } = open
  const before = commits(folder.file)
  const failing = store.write(async (tx) => {
    await addRow(tx, 'a')
    throw new Error('no')
  })
  await assert.rejects(failing, /^Error: no$/)
  assert.deepEqual(await rows(store.db), [])
  assert.equal(commits(folder.file), before)
})

test('runs effects in order after the commit, before results, and none of failed writes', async () => {
  using folder = new Folder()
  await using open = await openedWithLog(folder.file)
  const { store } = open
  const before = commits(folder.file)
  const detail: string[] = []
  const tell = (text: string) => detail.push(`${text} ${commits(folder.file) - before}`)
  await Promise.allSettled(
    numbers(3).map((text) =>
      store
        .write(async (tx) => {
          tx.afterCommit(() => tell(`effect ${text}`))
          await addRow(tx, text)
          if (text === '1') throw new Error('no')
        })
        .then(() => tell(`answer ${text}`)),
    ),
  )
  assert.deepEqual(detail, ['effect 0 1', 'effect 2 1', 'answer 0 1', 'answer 2 1'])
})

test('an effect that throws fails only its own write', async () => {
  await using open = await opened(':memory:')
  const { store } = open
  const done: string[] = []
  const outcomes = await Promise.allSettled([
    store.write(async (tx) => {
      tx.afterCommit(() => {
        throw new Error('effect')
      })
      tx.afterCommit(() => done.push('second effect'))
      return addRow(tx, 'a')
    }),
    store.write((tx) => addRow(tx, 'b')),
  ])
  assert.deepEqual(
    outcomes.map(({ status }) => status),
    ['rejected', 'fulfilled'],
  )
  assert.deepEqual(done, ['second effect'])
  await store.write((tx) => addRow(tx, 'c'))
  assert.deepEqual(await rows(store.db), ['a', 'b', 'c'])
})

test('closing finishes pending writes and rejects later ones', async () => {
  using folder = new Folder()
  await using open = await opened(folder.file, { groupMs: 1000 })
  const { store } = open
  const asked = numbers(600).map((text) => store.write((tx) => addRow(tx, text)))
  const closing = store.close()
  await assert.rejects(
    store.write((tx) => addRow(tx, 'late')),
    { kind: 'closed', message: 'the store is closed' },
  )
  await closing
  assert.equal((await Promise.all(asked)).length, 600)
  await using again = await opened(folder.file)
  assert.deepEqual(await rows(again.store.db), numbers(600))
})
