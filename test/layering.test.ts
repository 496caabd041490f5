import assert from 'node:assert/strict'
import { dirname, relative } from 'node:path'
import test from 'node:test'
import { files, type Import, imports, webFiles, webImports } from '../scripts/imports.ts'

const within = (folder: string) => (path: string) => path === folder || path.startsWith(`${folder}/`)
const isPackage = (name: string) => (to: string) => to === name || to.startsWith(`${name}/`)
const refuse = (arrows: Import[]) =>
  assert.deepEqual(
    arrows.map(({ from, to }) => `${from} imports ${to}`),
    [],
  )
const arrows = (from: string, to: (path: string) => boolean) =>
  imports.filter((arrow) => within(from)(arrow.from) && to(arrow.to))

const door = 'src/storage/index.ts'

test('the check detects imports', () => {
  assert.ok(imports.length > 100)
  assert.ok(arrows('src/http', within('src/core')).length > 0)
})

test('storage imports nothing from above', () => {
  refuse(arrows('src/storage', (to) => within('src')(to) && !within('src/storage')(to)))
})

test('storage has one entry point', () => {
  refuse(imports.filter(({ from, to }) => !within('src/storage')(from) && within('src/storage')(to) && to !== door))
})

test("only storage's SQLite folder imports its driver", () => {
  refuse(imports.filter(({ from, to }) => isPackage('better-sqlite3')(to) && !within('src/storage/sqlite')(from)))
  const doors = ['file/file-system', 'open-store', 'restore'].map((name) => `src/storage/sqlite/${name}.ts`)
  const opens = (path: string) => within('src/storage/sqlite')(path) && !doors.includes(path)
  refuse(arrows('src/storage', opens).filter(({ from }) => !within('src/storage/sqlite')(from)))
})

test("only storage's PostgreSQL folder imports its driver", () => {
  refuse(
    imports.filter(
      ({ from, to }) => isPackage('pg')(to) && within('src')(from) && !within('src/storage/postgres')(from),
    ),
  )
  const doors = ['address', 'open-store'].map((name) => `src/storage/postgres/${name}.ts`)
  const opens = (path: string) => within('src/storage/postgres')(path) && !doors.includes(path)
  refuse(arrows('src/storage', opens).filter(({ from }) => !within('src/storage/postgres')(from)))
})

test('outbound networking knows nothing about the chat', () => {
  refuse(arrows('src/network', (to) => within('src')(to) && !within('src/network')(to)))
})

test('readers of exports know neither the chat nor a database', () => {
  refuse(arrows('src/import', (to) => within('src')(to) && !within('src/import')(to)))
  refuse(arrows('src/import', (to) => isPackage('kysely')(to)))
  const zip = imports.filter(({ from, to }) => isPackage('yauzl')(to) && within('src')(from))
  refuse(zip.filter(({ from }) => from !== 'src/import/archive/zip.ts'))
})

test("core doesn't import HTTP", () => {
  refuse(
    arrows('src/core', (to) => ['src/http', 'src/admin', 'src/testing', 'bin'].some((folder) => within(folder)(to))),
  )
  const shells = ['h3', 'srvx', 'listhen', 'formidable', 'commander', 'node:http', 'node:https', 'node:http2']
  refuse(arrows('src/core', (to) => shells.some((name) => isPackage(name)(to))))
})

test('bin contains no SQL', () => {
  refuse(arrows('src/http', (to) => isPackage('kysely')(to) || isPackage('better-sqlite3')(to)))
  refuse(
    arrows('src/http', within('src/storage')).filter((arrow) => !arrow.typesOnly && arrow.names !== '{ StorageError }'),
  )
  refuse(arrows('src/http', (to) => within('src/testing')(to) || within('bin')(to)))
})

test('published code imports neither the command line nor the tests', () => {
  refuse(arrows('src', (to) => within('bin')(to) || within('test')(to)))
  refuse(imports.filter(({ from, to }) => !within('src/testing')(from) && within('src/testing')(to)))
  refuse(arrows('bin', (to) => isPackage('kysely')(to) || isPackage('better-sqlite3')(to)))
})

test('the client runs in browsers and imports only types and five self-contained files', () => {
  const plain = [
    'kernel/errors',
    'kernel/roles',
    'users/avatars/drawn-avatar',
    'users/unknown-user',
    'accounts/default-description',
  ].map((name) => `src/core/${name}.ts`)
  refuse(
    arrows('src/client', (to) => !within('src/client')(to) && !plain.includes(to)).filter((arrow) => !arrow.typesOnly),
  )
  assert.deepEqual(
    plain.flatMap((file) => arrows(file, (to) => !plain.includes(to))).filter((arrow) => !arrow.typesOnly),
    [],
  )
  refuse(
    imports.filter(
      ({ from, to }) =>
        within('src/client')(to) &&
        !['src/client', 'src/testing', 'src/index.ts'].some((folder) => within(folder)(from)),
    ),
  )
})

test("the web client uses only the typed client and the rules for passwords of src, and src doesn't use the web client", () => {
  assert.ok(webImports.length > 100)
  const uses = webImports.filter(({ to }) => within('src')(to) || within('bin')(to))
  assert.ok(uses.length > 0)
  const passwords = ['password-strength', 'password-rules', 'common-passwords'].map(
    (name) => `src/core/accounts/${name}.ts`,
  )
  refuse(uses.filter(({ to }) => to !== 'src/client/index.ts' && to !== passwords[0]))
  refuse(passwords.flatMap((file) => arrows(file, (to) => !passwords.includes(to))))
  refuse(imports.filter(({ to }) => within('web')(to)))
  const shared = [
    'preact',
    '@preact/signals',
    'dompurify',
    'katex',
    'turndown',
    'turndown-plugin-gfm',
    'uqr',
    'vite',
    'country-flag-emoji-polyfill',
  ]
  const packages = webImports.filter(({ to }) => !webFiles.includes(to) && !within('src')(to) && !to.endsWith('.css'))
  refuse(packages.filter(({ to }) => !shared.some((name) => isPackage(name)(to))))
})

test("the web client's model imports no views", () => {
  refuse(webImports.filter(({ from, to }) => within('web/model')(from) && (within('web/view')(to) || to === 'preact')))
})

/** The folders of core, lowest first, then the file above all. A file may import from its own folder and those before it. */
const floors = [
  'kernel/base',
  'kernel',
  'shapes',
  'events/types',
  'events/log',
  'settings',
  'access',
  'files/images/headers',
  'files/images',
  'files',
  'files/tus',
  'markup/emoji',
  'organization/emoji',
  'markup',
  'markup/code',
  'markup/inline',
  'markup/blocks',
  'markup/render',
  'users/avatars',
  'organization/linkifiers',
  'review/filters',
  'users',
  'mail/texts',
  'review',
  'mail',
  'bots/profiles',
  'groups',
  'read-state',
  'streams',
  'narrow/search',
  'messages/widgets',
  'messages/send',
  'messages/notices',
  'messages/scheduled',
  'messages/move',
  'messages/edit',
  'messages/previews',
  'messages/retention',
  'messages',
  'groups/membership',
  'streams/management',
  'narrow/operators',
  'narrow',
  'streams/subscriptions',
  'accounts/second-factor',
  'accounts/tokens',
  'accounts/passkeys',
  'accounts/providers',
  'accounts',
  'accounts/merging',
  'moderation',
  'accounts/dev',
  'bots',
  'bots/incoming/format',
  'bots/incoming/services/github',
  'bots/incoming/services/gitlab',
  'bots/incoming/services',
  'bots/incoming/templates',
  'bots/incoming',
  'bots/incoming/slack',
  'bots/incoming/discord',
  'bots/outgoing',
  'bots/feeds',
  'push',
  'accounts/invitations',
  'accounts/sign-on',
  'accounts/provisioning',
  'accounts/sign-up',
  'mail/sending',
  'mail/receiving',
  'organization/calls',
  'organization',
  'organization/audit',
  'organization/exports/tables',
  'organization/exports',
  'organization/imports',
  'events/queues',
  'open-chat.ts',
]

const floorOf = (path: string): string => {
  const inCore = relative('src/core', path)
  return floors.includes(inCore) ? inCore : dirname(inCore)
}

test('every core folder has its floor, and no import goes upward', () => {
  const used = new Set(files.filter(within('src/core')).map(floorOf))
  assert.deepEqual([...used].toSorted(), floors.toSorted())
  const height = (path: string): number => floors.indexOf(floorOf(path))
  refuse(
    imports.filter(({ from, to }) => within('src/core')(from) && within('src/core')(to) && height(to) > height(from)),
  )
})

/** The circles in what needs what. */
function cyclesOf(arrows: readonly { from: string; to: string }[]): string[] {
  const needs = new Map<string, string[]>()
  for (const { from, to } of arrows) needs.set(from, [...(needs.get(from) ?? []), to])
  const done = new Set<string>()
  const cycles: string[] = []
  const visit = (file: string, path: string[]): void => {
    const start = path.indexOf(file)
    if (start !== -1) cycles.push([...path.slice(start), file].join(' → '))
    if (start !== -1 || done.has(file)) return
    for (const next of needs.get(file) ?? []) visit(next, [...path, file])
    done.add(file)
  }
  for (const file of needs.keys()) visit(file, [])
  return cycles
}

/** Such a file lists the parts of one script that loads on demand, and a part may open another one of its script. */
const isList = (path: string) => /\/loaded-[a-z]+\.ts$/.test(path)

test('files have no import cycles, including type imports', () => {
  assert.ok(cyclesOf([...imports, { from: door, to: 'a' }, { from: 'a', to: door }]).length > 0)
  assert.deepEqual(cyclesOf([...imports, ...webImports.filter(({ to }) => !isList(to))]), [])
})

test('what is in a folder, files and folders, has no import cycles', () => {
  const byFolder = new Map<string, { from: string; to: string }[]>()
  for (const { from, to } of [...imports, ...webImports.filter(({ from, to }) => !isList(from) && !isList(to))]) {
    // The nouns of core have a test of their own.
    if (within('src/core')(from) && within('src/core')(to)) continue
    const [own, other] = [from.split('/'), to.split('/')]
    const depth = own.findIndex((name, i) => name !== other[i])
    const upTo = (path: string[]) => path.slice(0, depth + 1).join('/')
    const folder = own.slice(0, depth).join('/')
    byFolder.set(folder, [...(byFolder.get(folder) ?? []), { from: upTo(own), to: upTo(other) }])
  }
  for (const folder of ['src', 'src/http', 'src/storage/sqlite', 'bin', 'web/model', 'web/view'])
    assert.ok((byFolder.get(folder)?.length ?? 0) > 10, folder)
  assert.deepEqual([...byFolder.values()].flatMap(cyclesOf), [])
})

/** Parts of a noun that stand on a floor of their own: the rest of the noun needs what needs them, or is needed by it. */
const apart = [
  'events/types',
  'events/log',
  'bots/profiles',
  'groups/membership',
  'mail/receiving',
  'mail/sending',
  'narrow/search',
  'organization/emoji',
  'organization/linkifiers',
  'streams/management',
  'streams/subscriptions',
  'open-chat.ts',
]

test('folders of core have no import cycles', () => {
  const folders = imports
    .filter(({ from, to }) => within('src/core')(from) && within('src/core')(to))
    .map(({ from, to }) => ({ from: dirname(from), to: dirname(to) }))
    .filter(({ from, to }) => from !== to)
  assert.ok(folders.length > 100)
  assert.deepEqual(cyclesOf(folders), [])
})

test('nouns of core have no import cycles, except through the parts that stand apart', () => {
  const nounOf = (path: string): string => {
    const floor = floorOf(path)
    return apart.includes(floor) ? floor : floor.split('/')[0]!
  }
  const between = imports
    .filter(({ from, to }) => within('src/core')(from) && within('src/core')(to))
    .map(({ from, to }) => ({ from: nounOf(from), to: nounOf(to) }))
    .filter(({ from, to }) => from !== to)
  assert.ok(between.length > 100)
  assert.deepEqual(cyclesOf(between), [])
})
