import assert from 'node:assert/strict'
import test from 'node:test'
import type { Archive } from '../../src/import/archive/archive.ts'
import type { Placed } from '../../src/import/format.ts'
import { readers } from '../../src/import/readers/all.ts'
import type { Topics } from '../../src/import/readers/reader.ts'
import { Refused } from '../../src/import/refused.ts'
import { world } from '../../src/testing/index.ts'
import { onlyOnSqlite } from '../dialect.ts'
import { dice } from '../random.ts'
import { rounds } from '../rounds.ts'
import { ArchiveFolder, contentsOf, importInto } from './archives.ts'
import { richExports } from './rich-exports.ts'

type Files = ReturnType<typeof richExports>[string]
type Path = (string | number)[]

const absent = Symbol('absent')
const values = [absent, null, true, 7, -1e18, '', 'text', [], [null], ['x'], {}]
const ways: Topics[] = ['one', 'by-day', { gap: 3600 }]

/** The bytes of documents. Most documents stay the same from archive to archive. */
const written = new WeakMap<object, Buffer>()
function jsonOf(document: object): Buffer {
  const bytes = written.get(document) ?? Buffer.from(JSON.stringify(document))
  written.set(document, bytes)
  return bytes
}

/** Files in memory. */
function inMemory(files: Files): Archive {
  const bytes = (name: string) => {
    const content = files[name]!
    if (content instanceof Uint8Array) return content
    return typeof content === 'string' ? Buffer.from(content) : jsonOf(content)
  }
  return {
    names: Object.keys(files).sort(),
    has: (name) => Object.hasOwn(files, name),
    size: (name) => bytes(name).length,
    read: async (name) => bytes(name),
    async *stream(name) {
      yield bytes(name)
    },
    close: async () => {},
  }
}

/** The JSON of a file: a document, or a list of its lines. */
function parsed(content: Files[string]): { json: unknown; isLines: boolean } | undefined {
  if (content instanceof Uint8Array) return undefined
  if (typeof content === 'object') return { json: content, isLines: false }
  if (!content.startsWith('{')) return undefined
  return {
    json: content
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line)),
    isLines: true,
  }
}

/** The places of everything inside a value. */
function* pathsOf(json: unknown, path: Path = []): Generator<Path> {
  if (path.length > 0) yield path
  if (typeof json !== 'object' || json === null) return
  for (const [key, value] of Object.entries(json))
    yield* pathsOf(value, [...path, Array.isArray(json) ? Number(key) : key])
}

/** A copy of a document with another value in one place. What is not on the way to it is shared. */
function changed(json: unknown, [key, ...rest]: Path, value: unknown): unknown {
  const copy = (Array.isArray(json) ? [...json] : { ...(json as object) }) as Record<string, unknown>
  if (rest.length > 0) copy[key!] = changed(copy[key!], rest, value)
  else if (value !== absent) copy[key!] = value
  else if (Array.isArray(copy)) copy.splice(Number(key), 1)
  else delete copy[key!]
  return copy
}

function mutated(files: Files, name: string, path: Path, value: unknown): Files {
  const { json, isLines } = parsed(files[name]!)!
  const copy = changed(json, path, value)
  const content = isLines ? (copy as unknown[]).map((line) => `${JSON.stringify(line)}\n`).join('') : (copy as object)
  return { ...files, [name]: content }
}

const placesOf = (files: Files): { name: string; path: Path }[] =>
  Object.entries(files).flatMap(([name, content]) => {
    const found = parsed(content)
    return found === undefined ? [] : [...pathsOf(found.json)].map((path) => ({ name, path }))
  })

async function recordsOf(source: string, files: Files, topics: Topics): Promise<Placed[]> {
  const reader = readers.find(({ name }) => name === source)!
  const records: Placed[] = []
  for await (const record of reader.read(inMemory(files), { topics })) records.push(record)
  return records
}

const onFiles = onlyOnSqlite('reads archives, and no database')
const EVERY = rounds({ short: 5, full: 2 })

test('readers survive any other value in any place of an archive', onFiles, async (t) => {
  for (const [source, files] of Object.entries(richExports())) {
    await t.test(source, async () => {
      const reader = readers.find(({ name }) => name === source)!
      assert.ok(await reader.recognizes(inMemory(files)))
      assert.ok((await recordsOf(source, files, 'one')).length > 10)
      let nth = 0
      for (const { name, path } of placesOf(files)) {
        for (const value of values) {
          if (nth++ % EVERY !== 0) continue
          const other = mutated(files, name, path, value)
          const where = `${name} ${path.join('.')} = ${String(value === absent ? 'absent' : JSON.stringify(value))}`
          try {
            if (await reader.recognizes(inMemory(other))) await recordsOf(source, other, ways[nth % ways.length]!)
          } catch (error) {
            assert.ok(error instanceof Refused, `${where}: ${(error as Error).stack}`)
            assert.match(error.message, /^[^\n]{1,400}\.$/, where)
          }
        }
      }
    })
  }
})

const ROUNDS = rounds({ short: 20, full: 100, variable: 'IMPORT_ROUNDS' })

test('imports archives with other values whole, or rejects them in one sentence', async (t) => {
  const seed = Number(process.env.SEED ?? 1)
  t.diagnostic(`seed ${seed}, ${ROUNDS} archives`)
  const roll = dice(seed)
  const sources = Object.values(richExports())
  await using w = await world()
  const before = await contentsOf(w.chat)
  let imported = 0
  for (let round = 0; round < ROUNDS; round++) {
    let files = sources[round % sources.length]!
    const changes: string[] = []
    for (let i = roll(3); i >= 0; i--) {
      const places = placesOf(files)
      if (places.length === 0) break
      const { name, path } = places[roll(places.length)]!
      const value = values[roll(values.length)]
      changes.push(`${name} ${path.join('.')} = ${value === absent ? 'absent' : JSON.stringify(value)}`)
      files = mutated(files, name, path, value)
    }
    using archive = new ArchiveFolder(files)
    try {
      const dry = await importInto(w.chat, archive, { dryRun: true })
      assert.deepEqual(await contentsOf(w.chat), before, changes.join('\n'))
      await using other = await world()
      const { report } = await importInto(other.chat, archive)
      assert.deepEqual(report, dry.report, changes.join('\n'))
      imported++
    } catch (error) {
      if (error instanceof assert.AssertionError) throw error
      assert.match((error as Error).message, /^[^\n]{1,400}\.$/, `${changes.join('\n')}\n${(error as Error).stack}`)
    }
  }
  assert.ok(imported > ROUNDS / 3, `${imported} of ${ROUNDS} were imported`)
})
