import assert from 'node:assert/strict'
import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative, resolve } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))

interface Import {
  from: string
  to: string
  typesOnly: boolean
}

const files = ['src', 'bin'].flatMap((folder) =>
  readdirSync(join(root, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && entry.name.endsWith('.ts'))
    .map((entry) => relative(root, join(entry.parentPath, entry.name))),
)

/** Every import of a file; one of a file of ours is a path from the root, one of a package its name. */
const imports: Import[] = files.flatMap((from) => {
  const text = readFileSync(join(root, from), 'utf8')
  const found = text.matchAll(
    /^(?:import|export)\s+(?:(type)\s+)?(?:[\w*{][^'";]*?\sfrom\s+)?'([^']+)'|\bimport\('([^']+)'\)/gm,
  )
  return [...found].map(([, type, named, dynamic]) => {
    const target = named ?? dynamic!
    const to = target.startsWith('.') ? relative(root, resolve(root, dirname(from), target)) : target
    return { from, to, typesOnly: type !== undefined }
  })
})

const within = (folder: string) => (path: string) => path === folder || path.startsWith(`${folder}/`)
const isPackage = (name: string) => (to: string) => to === name || to.startsWith(`${name}/`)
const refuse = (arrows: Import[]) =>
  assert.deepEqual(
    arrows.map(({ from, to }) => `${from} imports ${to}`),
    [],
  )
const arrows = (from: string, to: (path: string) => boolean) =>
  imports.filter((arrow) => within(from)(arrow.from) && to(arrow.to))

test('the check sees imports', () => {
  assert.ok(imports.length > 100)
  assert.ok(arrows('src/http', within('src/core')).length > 0)
})

test('storage knows nothing above it', () => {
  refuse(arrows('src/storage', (to) => within('src')(to) && !within('src/storage')(to)))
})

test('core knows no HTTP', () => {
  refuse(arrows('src/core', (to) => ['src/http', 'src/testing', 'bin'].some((folder) => within(folder)(to))))
  const shells = ['h3', 'srvx', 'listhen', 'formidable', 'commander', 'node:http', 'node:https', 'node:http2']
  refuse(arrows('src/core', (to) => shells.some((name) => isPackage(name)(to))))
})

test('the shell knows no SQL', () => {
  refuse(arrows('src/http', (to) => isPackage('kysely')(to) || isPackage('better-sqlite3')(to)))
  refuse(
    arrows('src/http', within('src/storage')).filter(
      (arrow) => !arrow.typesOnly && arrow.to !== 'src/storage/errors.ts',
    ),
  )
  refuse(arrows('src/http', (to) => within('src/testing')(to) || within('bin')(to)))
})

test('nothing published needs the command line or the tests', () => {
  refuse(arrows('src', (to) => within('bin')(to) || within('test')(to)))
  refuse(imports.filter(({ from, to }) => !within('src/testing')(from) && within('src/testing')(to)))
  refuse(arrows('bin', (to) => isPackage('kysely')(to) || isPackage('better-sqlite3')(to)))
})

/** Exceptions to the rule for `events` and `markup`: file, what it may import, and why. */
const declared: ReadonlyMap<string, RegExp> = new Map([
  // Registering is taking every noun's state together, as the user stands, and looking up a queue's narrow.
  ['src/core/events/state-parts.ts', /state\.ts$/],
  ['src/core/events/register.ts', /^src\/core\/(users\/(access|roles)|narrow\/(queue|terms))\.ts$/],
  // A queue may have a narrow, and its messages their reader's flags.
  ['src/core/events/read.ts', /^src\/core\/(messages\/own-flags|narrow\/queue)\.ts$/],
  // What some events say depends on what their reader asked for.
  ['src/core/events/personalize.ts', /^src\/core\/messages\/event-text\.ts$/],
  ['src/core/events/forms.ts', /^src\/core\/(users\/(view|legacy-settings)|messages\/event-text)\.ts$/],
])

test('events and markup know no noun', () => {
  const base = ['events', 'markup', 'emoji'].map((noun) => within(`src/core/${noun}`))
  const isNoun = (to: string) => /^src\/core\/[^/]+\//.test(to) && !base.some((holds) => holds(to))
  for (const folder of ['src/core/events', 'src/core/markup']) {
    refuse(arrows(folder, isNoun).filter(({ from, to }) => !declared.get(from)?.test(to)))
  }
})

test('no file is needed by what it needs', () => {
  const needs = new Map<string, string[]>()
  for (const { from, to, typesOnly } of imports) if (!typesOnly) needs.set(from, [...(needs.get(from) ?? []), to])
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: string[]): void => {
    const start = path.indexOf(file)
    if (start !== -1) cycles.push([...path.slice(start), file].join(' → '))
    if (start !== -1 || done.has(file)) return
    for (const next of needs.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of files) visit(file, [])
  assert.deepEqual(cycles, [])
})
