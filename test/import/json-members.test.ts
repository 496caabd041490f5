import assert from 'node:assert/strict'
import test from 'node:test'
import type { Archive } from '../../src/import/archive/archive.ts'
import { readMembers } from '../../src/import/archive/json-members.ts'
import { dice } from '../random.ts'

const archiveOf = (text: string): Archive => {
  const bytes = Buffer.from(text)
  return {
    names: ['a.json'],
    has: () => true,
    size: () => bytes.length,
    read: async () => bytes,
    async *stream() {
      yield bytes
    },
    async close() {},
  }
}
const read = (text: string) => readMembers(archiveOf(text), 'a.json')

/** More than one step parses. */
const filling = Array.from({ length: 4000 }, (_, i) => ({ id: i, text: `line ${i} of "many" \\ {[,]} ü€😀` }))

test('reads long lists in pieces as the parser reads them', async () => {
  const documents: object[] = [
    { rows: filling, empty: [], name: 'x', number: -1.5e3, none: null, nested: { list: [1, [2, { a: '}' }]] } },
    { first: [], rows: filling, last: [[[]], {}, '', '\\', '"', ',', null, true, 0] },
    { rows: ['x'.repeat(200_000)], more: filling.map(({ text }) => text) },
    { '': filling, 'a"b\\': 1, ['__proto__']: { polluted: true } },
  ]
  for (const value of documents) {
    for (const space of [undefined, 2, '\t']) {
      const text = JSON.stringify(value, null, space)
      assert.deepEqual(await read(text), JSON.parse(text))
      assert.deepEqual(await read(` \r\n${text}\n`), JSON.parse(text))
    }
  }
  assert.equal(Object.hasOwn(await read(JSON.stringify(documents[3])), '__proto__'), true)
  assert.equal(({} as { polluted?: boolean }).polluted, undefined)
})

test('reads what is no object of lists like any other document', async () => {
  for (const value of [filling, 'x'.repeat(200_000)]) assert.deepEqual(await read(JSON.stringify(value)), value)
})

test('rejects damaged documents like the parser', async () => {
  const seed = Number(process.env.SEED ?? Date.now() % 1_000_000)
  const roll = dice(seed)
  const whole = JSON.stringify({ a: filling, b: { c: [1, 2] }, d: 'x' })
  const damaged = [whole.slice(0, -1), `${whole}x`, whole.replace('[', '[,'), whole.replace('],', ']'), `${whole},`]
  for (let i = 0; i < 100; i++) {
    const at = roll(whole.length)
    damaged.push(whole.slice(0, at) + '"[]{},:\\x'.charAt(roll(9)) + whole.slice(at + roll(3)))
  }
  for (const text of damaged) {
    let expected: unknown
    try {
      // Half of a surrogate pair has no bytes.
      expected = JSON.parse(text.toWellFormed())
    } catch {
      await assert.rejects(read(text), /not valid JSON/, `seed ${seed}`)
      continue
    }
    assert.deepEqual(await read(text), expected, `seed ${seed}`)
  }
})
