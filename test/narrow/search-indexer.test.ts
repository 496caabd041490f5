import assert from 'node:assert/strict'
import test from 'node:test'
import { sql } from 'kysely'
import { contextOf } from '../../src/core/kernel/context.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { indexNext } from '../../src/core/narrow/search/text.ts'
import { getMessages } from '../../src/index.ts'
import { piecesOf } from '../../src/storage/index.ts'
import { type World, world } from '../../src/testing/index.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { eventually } from '../eventually.ts'

const progress = async (w: World) =>
  (await storeOf(w.chat).db.selectFrom('search_progress').select('indexed_up_to').executeTakeFirstOrThrow())
    .indexed_up_to

const found = async (w: World, operand: string) => {
  const narrow = [{ operator: 'search', operand }]
  return (await getMessages(w.people.hamlet, { anchor: 'newest', num_before: 100, num_after: 0, narrow })).messages
    .length
}

test('indexes messages shortly after they are sent', async () => {
  await using w = await world()
  const { id } = await w.people.iago.says('an albatross')
  assert.ok((await progress(w)) < id, 'premise: not at once')
  w.clock.advance(1000)
  await eventually('it is in the index', async () => (await progress(w)) >= id)
})

test('a search finds messages sent just before it', async () => {
  await using w = await world()
  for (let i = 0; i < 700; i++) await w.people.iago.says(`albatross ${i}`)
  assert.equal(await found(w, 'albatross 699'), 1)
  assert.equal(await found(w, 'albatross'), 100)
})

const long = Array.from({ length: 999 }, (_, i) => `seagulls${i % 10}`).join(' ')

test('indexes few long messages at a time, because all other work waits', async () => {
  await using w = await world()
  for (let i = 0; i < 12; i++) await w.people.iago.says(long)
  const { indexed, left } = await contextOf(w.chat).write((tx) => indexNext(tx, 400))
  assert.ok(indexed > 0 && indexed < 8 && left > 0, `${indexed} at a time`)
  assert.equal(await found(w, 'seagulls9'), 12)
})

test('a search inside a failing write hides nothing from later searches', async () => {
  await using w = await world()
  await w.people.iago.says('albatross')
  const narrow = [{ operator: 'search', operand: 'albatross' }]
  const undone = w.people.hamlet.write(async (tx) => {
    const { messages } = await getMessages(tx, { anchor: 'newest', num_before: 1, num_after: 0, narrow })
    throw new Error(`undone after ${messages.length}`)
  })
  await assert.rejects(undone, /undone after 1/)
  assert.equal(await found(w, 'albatross'), 1)
})

test('finds messages edited or deleted before indexing in their current state', async () => {
  await using w = await world()
  const { iago } = w.people
  const edited = await iago.says('albatross')
  const deleted = await iago.says('albatross too')
  await iago.api.patch(`/messages/${edited.id}`, { content: 'penguin' })
  await iago.api.delete(`/messages/${deleted.id}`)
  assert.equal(await found(w, 'albatross'), 0)
  assert.equal(await found(w, 'penguin'), 1)
  await iago.api.patch(`/messages/${edited.id}`, { content: 'kingfisher' })
  assert.equal(await found(w, 'penguin'), 0)
  assert.equal(await found(w, 'kingfisher'), 1)
})

const partsIn = async (w: World) => {
  const { db } = storeOf(w.chat)
  const { rows } = await sql<{ n: number }>`select count(distinct segid) as n from message_search_idx`.execute(db)
  return rows[0]!.n
}

test(
  'a search that indexes many long messages merges their parts of the index',
  onlyOnSqlite('its index has parts'),
  async () => {
    await using w = await world()
    for (let i = 0; i < 150; i++) await w.people.iago.says(long)
    assert.equal(await found(w, 'seagulls9'), 100)
    const parts = await partsIn(w)
    assert.ok(parts < 40, `${parts} parts`)
  },
)

test(
  'merges the index in slices of their own, not in the commits that change it',
  onlyOnSqlite('its index has parts'),
  async () => {
    await using w = await world()
    const parts = () => partsIn(w)
    for (let i = 0; i < 30; i++) {
      await w.people.iago.says(`albatross ${i}`)
      assert.equal(await found(w, `albatross ${i}`), 1)
    }
    assert.ok((await parts()) >= 30, `${await parts()} parts`)
    await eventually('the parts are merged', async () => {
      w.clock.advance(1000)
      return (await parts()) < 10
    })
    assert.equal(await found(w, 'albatross'), 30)
    assert.equal(await found(w, 'albatross 17'), 1)
  },
)

test(
  'deletes and edits messages that earlier versions indexed with each piece once',
  onlyOnSqlite('its index counts pieces'),
  async () => {
    await using w = await world()
    const { iago } = w.people
    const text = 'albatross albatross albatross'
    const [deleted, edited] = [await iago.says(text), await iago.says(text)]
    assert.equal(await found(w, 'albatross'), 2)
    await iago.write(async ({ db }) => {
      await sql`insert into message_search (message_search) values ('delete-all')`.execute(db)
      for (const { id } of [deleted, edited])
        await sql`insert into message_search (rowid, pieces) values (${id}, ${[...piecesOf(text)].join(' ')})`.execute(
          db,
        )
    })
    assert.equal((await iago.api.delete(`/messages/${deleted.id}`)).result, 'success')
    assert.equal((await iago.api.patch(`/messages/${edited.id}`, { content: 'penguin penguin' })).result, 'success')
    assert.equal(await found(w, 'albatross'), 0)
    assert.equal(await found(w, 'penguin'), 1)
    assert.equal((await iago.api.patch(`/messages/${edited.id}`, { content: 'kingfisher' })).result, 'success')
    assert.equal(await found(w, 'penguin'), 0)
  },
)
