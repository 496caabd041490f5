import assert from 'node:assert/strict'
import test from 'node:test'
import type { Archive } from '../../src/import/archive/archive.ts'
import type { Placed } from '../../src/import/format.ts'
import { readers } from '../../src/import/readers/all.ts'
import type { Topics } from '../../src/import/readers/reader.ts'
import { Refused } from '../../src/import/refused.ts'
import { world } from '../../src/testing/index.ts'
import { dice } from '../random.ts'
import { rounds } from '../rounds.ts'
import { ArchiveFolder, contentsOf, importInto } from './archives.ts'
import { richExports } from './rich-exports.ts'

type Files = ReturnType<typeof richExports>[string]
type Path = (string | number)[]

const absent = Symbol('absent')
const values = [absent, null, true, 7, -1e18, '', 'text', [], [null], ['x'], {}]
const ways: Topics[] = ['one', 'by-day', { gap: 3600 }]

/** Files in memory. */
function inMemory(files: Files): Archive {
  const bytes = (name: string) => {
    const content = files[name]!
    return content instanceof Uint8Array
      ? content
      : Buffer.from(typeof content === 'string' ? content : JSON.stringify(content))
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

function mutated(files: Files, name: string, path: Path, value: unknown): Files {
  const { json, isLines } = parsed(files[name]!)!
  const copy = structuredClone(json)
  let at = copy as Record<string, unknown>
  for (const key of path.slice(0, -1)) at = at[key] as Record<string, unknown>
  const last = path.at(-1)!
  if (value !== absent) at[last] = value
  else if (Array.isArray(at)) at.splice(Number(last), 1)
  else delete at[last]
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

const EVERY = rounds({ short: 5, full: 2 })

test('readers survive any other value in any place of an archive', async (t) => {
  for (const [source, files] of Object.entries(richExports())) {
    await t.test(source, async () => {
      const reader = readers.find(({ name }) => name === source)!
      assert.ok(await reader.recognizes(inMemory(files)))
      assert.ok((await recordsOf(source, files, 'one')).length > 10)
      let nth = 0
      for (const { name, path } of placesOf(files)) {
        for (const value of values) {
          if (nth++ % EVERY !== 0) continue
          const changed = mutated(files, name, path, value)
          const where = `${name} ${path.join('.')} = ${String(value === absent ? 'absent' : JSON.stringify(value))}`
          try {
            if (await reader.recognizes(inMemory(changed))) await recordsOf(source, changed, ways[nth % ways.length]!)
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
