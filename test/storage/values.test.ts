import assert from 'node:assert/strict'
import { randomBytes } from 'node:crypto'
import test from 'node:test'
import { flag, fold, insertBlob, isSet, isUnset, readBlob } from '../../src/storage/index.ts'
import { addRow, opened } from './opened.ts'

const KIB = 1024

test('stores blobs unchanged in pieces', async () => {
  await using open = await opened(':memory:')
  const { store } = open
  for (const size of [0, 1, 256 * KIB - 1, 256 * KIB, 256 * KIB + 1, 1000 * KIB]) {
    const bytes = randomBytes(size)
    const id = await store.write(({ db }) => insertBlob(db, bytes, 'image/png', 7))
    const pieces: Uint8Array[] = []
    for await (const piece of readBlob(store.db, id)) pieces.push(piece)
    assert.deepEqual(Buffer.concat(pieces), bytes)
    assert.equal(pieces.length, Math.ceil(size / (256 * KIB)))
    const row = await store.db.selectFrom('blob').selectAll().where('id', '=', id).executeTakeFirst()
    assert.deepEqual(row, { id, size, content_type: 'image/png', created_at: 7 })
  }
  assert.equal((await readBlob(store.db, 999).next()).done, true)
})

test('a blob is part of its write and takes its pieces along', async () => {
  await using open = await opened(':memory:')
  const { store } = open
  const bytes = randomBytes(600 * KIB)
  const pieces = async () => (await store.db.selectFrom('blob_chunk').select('seq').execute()).length
  const failing = store.write(async ({ db }) => {
    await insertBlob(db, bytes, 'image/png', 0)
    throw new Error('no')
  })
  await assert.rejects(failing, /no/)
  assert.equal(await pieces(), 0)
  const id = await store.write(({ db }) => insertBlob(db, bytes, 'image/png', 0))
  assert.equal(await pieces(), 3)
  await store.write(({ db }) => db.deleteFrom('blob').where('id', '=', id).execute())
  assert.equal(await pieces(), 0)
})

test('never reuses an id, even the newest after reopening', async () => {
  await using open = await opened(':memory:')
  const { store } = open
  const add = () => store.write((tx) => addRow(tx, 'a'))
  const remove = (id: number) => store.write(({ db }) => db.deleteFrom('blob').where('id', '=', id).execute())
  const first = await add()
  const second = await add()
  await remove(second)
  const third = await add()
  await remove(third)
  await remove(first)
  assert.deepEqual([first, second, third, await add()], [1, 2, 3, 4])
})

test('can reuse an id from a failed write, since nobody saw it', async () => {
  await using open = await opened(':memory:')
  const { store } = open
  let taken = 0
  const failing = store.write(async (tx) => {
    taken = await addRow(tx, 'a')
    throw new Error('no')
  })
  await assert.rejects(failing)
  assert.ok((await store.write((tx) => addRow(tx, 'b'))) >= taken)
})

test('folds names alike in every spelling', () => {
  const same: [string, string][] = [
    ['General', 'gENERAL'],
    ['ÉCOLE', 'école'],
    ['e\u0301cole', '\u00e9COLE'],
    ['ΣΊΣΥΦΟΣ'.slice(0, -1), 'σίσυφο'],
    ['ÅNGSTRÖM', 'a\u030angstro\u0308m'],
    ['Привет', 'ПРИВЕТ'],
    ['', ''],
  ]
  for (const [a, b] of same) assert.equal(fold(a), fold(b), `${a} ${b}`)
  for (const [a, b] of [
    ['a', 'á'],
    ['ss', 'ß'],
    ['a', 'a '],
    ['１', '1'],
  ] as const) {
    assert.notEqual(fold(a), fold(b), `${a} ${b}`)
  }
})

test('flags are numbers, written as literals in conditions', async () => {
  await using open = await opened(':memory:')
  assert.deepEqual([flag(true), flag(false)], [1, 0])
  const users = open.store.db.selectFrom('user').select('id')
  const { sql, parameters } = users.where('is_active', '=', isSet).where('is_system_bot', '=', isUnset).compile()
  assert.match(sql, /"is_active" = 1 and "is_system_bot" = 0/)
  assert.deepEqual(parameters, [])
})

test('binds lists of any length as one value', async () => {
  await using open = await opened(':memory:')
  const { db, dialect, write } = open.store
  for (const text of ['a', 'b', 'c']) await write((tx) => addRow(tx, text))
  const ids = Array.from({ length: 50_000 }, (_, i) => i + 2)
  const blobs = () => db.selectFrom('blob').orderBy('id')
  assert.deepEqual(await blobs().select('id').where('id', 'in', dialect.idsIn(ids)).execute(), [{ id: 2 }, { id: 3 }])
  const texts = ["it's", 'b', '"', ...ids.map(String)]
  const named = blobs().select('id').where('content_type', 'in', dialect.textsIn(texts))
  assert.deepEqual(await named.execute(), [{ id: 2 }])
  const ranges = db
    .selectFrom(
      dialect
        .rows(
          ['lo', 'hi'],
          [
            [1, 2],
            [30, 40],
          ],
        )
        .as('gap'),
    )
    .select(['lo', 'hi'])
  assert.deepEqual(await ranges.execute(), [
    { lo: 1, hi: 2 },
    { lo: 30, hi: 40 },
  ])
})
