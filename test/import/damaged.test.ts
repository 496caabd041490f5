import assert from 'node:assert/strict'
import { writeFileSync } from 'node:fs'
import { join } from 'node:path'
import test from 'node:test'
import { gzipSync } from 'node:zlib'
import { packTar } from 'modern-tar'
import { bsonDocuments } from '../../src/import/archive/bson.ts'
import { openArchive } from '../../src/import/archive/open.ts'
import { Refused } from '../../src/import/refused.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { dice } from '../random.ts'
import { rounds } from '../rounds.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { ArchiveFolder } from './archives.ts'
import { rocketBson } from './exports.ts'
import { zipOf } from './zip.ts'

const onFiles = onlyOnSqlite('reads archives, and no database')
const ROUNDS = rounds({ short: 150, full: 1500, variable: 'DAMAGE_ROUNDS' })
const seed = Number(process.env.SEED ?? 1)
const text = 'a text that is long enough to be compressed, to be compressed, to be compressed'

/** Changes a few bytes, or cuts off the end. */
function damage(bytes: Uint8Array, roll: (sides: number) => number): Uint8Array {
  const copy = Uint8Array.from(bytes)
  for (let i = roll(3); i >= 0; i--) copy[roll(copy.length)] = roll(256)
  return roll(5) === 0 ? copy.subarray(0, roll(copy.length)) : copy
}

const isSentence = (error: unknown, where: string): void => {
  assert.ok(error instanceof Refused, `${where}: ${(error as Error).stack}`)
  assert.match(error.message, /^[^\n]{1,400}\.$/, where)
}

test('reads damaged archives as far as their checksums allow, or rejects them in one sentence', onFiles, async (t) => {
  t.diagnostic(`seed ${seed}, ${ROUNDS} archives of each kind`)
  const roll = dice(seed)
  const tar = await packTar([
    { header: { name: 'top/a.txt', size: text.length }, body: text },
    { header: { name: 'top/b', type: 'directory', size: 0 } },
    { header: { name: 'top/b/c.txt', size: 1 }, body: 'c' },
  ])
  const whole = {
    'a.zip': zipOf([
      { name: 'a.txt', content: text },
      { name: 'b/c.txt', content: 'c' },
    ]),
    'a.tar': tar,
    'a.tar.gz': gzipSync(tar),
  }
  using folder = new TemporaryFolder()
  using work = new TemporaryFolder()
  for (const [name, bytes] of Object.entries(whole)) {
    for (let round = 0; round < ROUNDS; round++) {
      const path = join(folder.path, name)
      writeFileSync(path, damage(bytes, roll))
      try {
        const archive = await openArchive(path, { work: work.path })
        try {
          for (const entry of archive.names) {
            const pieces: Uint8Array[] = []
            for await (const piece of archive.stream(entry)) pieces.push(piece)
            // A tar file has no checksums of contents, so only its sizes can be compared.
            assert.equal(Buffer.concat(pieces).length, archive.size(entry))
            // Without the mark at its beginning it is a single file.
            if (name === 'a.zip' && entry !== name) assert.ok([text, 'c'].includes(String(Buffer.concat(pieces))))
          }
        } finally {
          await archive.close()
        }
      } catch (error) {
        isSentence(error, `${name}, round ${round}`)
      }
    }
  }
})

const int32 = (value: number) => Buffer.from(Int32Array.of(value).buffer)
const word = (value: string) => Buffer.from(`${value}\0`)
const sized = (body: Buffer) => Buffer.concat([int32(body.length + 4), body])
const string = (value: string) => Buffer.concat([int32(value.length + 1), word(value)])

/** Each type of https://bsonspec.org/spec.html, with its value. */
const types: [type: number, bytes: Buffer, value: unknown][] = [
  [0x01, Buffer.from(Float64Array.of(1.5).buffer), 1.5],
  [0x02, string('text'), 'text'],
  [0x03, sized(Buffer.from([0])), {}],
  [0x04, sized(Buffer.concat([Buffer.from([0x10]), word('0'), int32(7), Buffer.from([0])])), [7]],
  [0x05, Buffer.concat([int32(2), Buffer.from([0, 1, 2])]), Uint8Array.of(1, 2)],
  [0x06, Buffer.alloc(0), null],
  [0x07, Buffer.alloc(12, 0xab), 'ab'.repeat(12)],
  [0x08, Buffer.from([1]), true],
  [0x09, Buffer.from(BigInt64Array.of(1_700_000_000_000n).buffer), 1_700_000_000_000],
  [0x0a, Buffer.alloc(0), null],
  [0x0b, Buffer.concat([word('a+'), word('i')]), '/a+/i'],
  [0x0d, string('code'), 'code'],
  [0x0e, string('symbol'), 'symbol'],
  [0x10, int32(-7), -7],
  [0x11, Buffer.alloc(8), 0],
  [0x12, Buffer.from(BigInt64Array.of(-5n).buffer), -5],
  [0x13, Buffer.alloc(16, 1), '01'.repeat(16)],
  [0x7f, Buffer.alloc(0), null],
  [0xff, Buffer.alloc(0), null],
]
const documentOf = (...elements: [type: number, name: string, bytes: Buffer][]) =>
  sized(
    Buffer.concat([
      ...elements.flatMap(([type, name, bytes]) => [Buffer.from([type]), word(name), bytes]),
      Buffer.from([0]),
    ]),
  )

async function documents(bytes: Uint8Array): Promise<unknown[]> {
  using folder = new ArchiveFolder({ 'a.bson': bytes })
  const archive = await openArchive(folder.path)
  const found: unknown[] = []
  for await (const document of bsonDocuments(archive, 'a.bson')) found.push(document)
  await archive.close()
  return found
}

test('reads every type of BSON, and rejects unknown ones', async () => {
  const all = documentOf(...types.map(([type, bytes], i): [number, string, Buffer] => [type, `f${i}`, bytes]))
  const [found] = await documents(all)
  assert.deepEqual(
    Object.values(found as object),
    types.map(([, , value]) => value),
  )
  const deep = (levels: number): Buffer =>
    levels === 0 ? sized(Buffer.from([0])) : documentOf([3, 'a', deep(levels - 1)])
  for (const bytes of [
    documentOf([0x20, 'a', Buffer.alloc(4)]),
    documentOf([0x02, 'a', int32(0)]),
    documentOf([0x02, 'a', Buffer.concat([int32(2), Buffer.from([0xff, 0])])]),
    deep(200),
    int32(3),
    all.subarray(0, -1),
  ])
    await assert.rejects(documents(bytes), (error) => {
      isSentence(error, String(bytes.length))
      return true
    })
})

test('rejects damaged BSON in one sentence', onFiles, async (t) => {
  t.diagnostic(`seed ${seed}, ${ROUNDS} files`)
  const roll = dice(seed)
  const files = Object.values<string | Uint8Array>(rocketBson()).filter((content) => typeof content !== 'string')
  for (let round = 0; round < ROUNDS; round++) {
    try {
      await documents(damage(files[round % files.length]!, roll))
    } catch (error) {
      isSentence(error, `round ${round}`)
    }
  }
})
