import assert from 'node:assert/strict'
import { execFileSync } from 'node:child_process'
import { readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import test from 'node:test'
import { fileURLToPath } from 'node:url'
import { errorCodes } from '../../src/core/kernel/errors.ts'
import * as http from '../../src/http/index.ts'
import * as library from '../../src/index.ts'
import { onlyInFull } from '../rounds.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

const root = fileURLToPath(new URL('../..', import.meta.url))

interface Documented {
  name: string
  isAction: boolean
  /** It answers later. */
  isAsync: boolean
  text: string
}

/** The exports below src and their comments, as an editor shows them. */
const documented: Documented[] = readdirSync(join(root, 'src'), { recursive: true, withFileTypes: true })
  .filter((file) => file.isFile() && file.name.endsWith('.ts'))
  .flatMap((file) => {
    const text = readFileSync(join(file.parentPath, file.name), 'utf8')
    const found = text.matchAll(
      /\/\*\*((?:(?!\*\/).)*)\*\/\nexport (async )?(?:const|function|class|interface|type) (\w+)( = (?:action|publicAction)\()?/gs,
    )
    return [...found].map(([, comment, async, name, action]) => ({
      name: name!,
      isAction: action !== undefined,
      isAsync: async !== undefined,
      text: comment!.replaceAll(/^ *\* ?/gm, ''),
    }))
  })

const isAction = (value: unknown): boolean => typeof value === 'function' && 'params' in value && 'summary' in value
const actions = Object.entries(library).flatMap(([name, value]) => (isAction(value) ? [name] : []))
const commentOf = (name: string): string => documented.find((each) => each.isAction && each.name === name)?.text ?? ''

test('every exported action documents its behavior and errors', () => {
  assert.ok(actions.length > 80)
  for (const name of actions) {
    assert.match(commentOf(name).trim(), /^[A-Z]/, `${name} says what it does`)
    assert.match(commentOf(name), /^@throws [A-Z_]{9,}/m, `${name} says what it throws`)
  }
})

/** Codes that any request may get, so that an action need not declare them. */
const common = new Set([
  'BAD_REQUEST',
  'UNAUTHORIZED',
  'INVALID_API_KEY',
  'USER_DEACTIVATED',
  'TOO_LARGE',
  'STORAGE_FULL',
])

test('the errors that an action declares for the API document are the ones in its comment', () => {
  for (const [name, value] of Object.entries(library)) {
    if (!isAction(value)) continue
    const { errors = [], role } = value as { errors?: readonly string[]; role?: string }
    const thrown = [...commentOf(name).matchAll(/^@throws (?:(?!^@).)*/gms)].flatMap(
      ([line]) => line.match(/\b[A-Z]{5,}(?:_[A-Z]+)*\b|\b[A-Z]+(?:_[A-Z]+)+\b/g) ?? [],
    )
    // A role is declared by itself.
    const needless = role ? [...common, 'UNAUTHORIZED_PRINCIPAL'] : [...common]
    const declared = thrown.filter((code) => code in errorCodes && !needless.includes(code))
    assert.deepEqual(new Set(errors.filter((code) => !needless.includes(code))), new Set(declared), name)
    for (const code of errors) assert.ok(thrown.includes(code), `${name} says when it throws ${code}`)
  }
})

test('every other exported function is documented, with errors if asynchronous', () => {
  const functions = Object.entries({ ...library, ...http }).filter(([, value]) => typeof value === 'function')
  const others = functions.map(([name]) => name).filter((name) => !actions.includes(name))
  assert.ok(others.length > 15)
  for (const name of others) {
    const found = documented.find((each) => !each.isAction && each.name === name)
    assert.ok(found, `${name} says what it does`)
    if (found.isAsync) assert.match(found.text, /@throws|Throws nothing/, `${name} says what it throws`)
  }
})

test('the most used functions have an example', () => {
  const withExample = actions.filter((name) => commentOf(name).includes('@example'))
  assert.ok(withExample.length >= 20, `only ${withExample.join(', ')}`)
  for (const name of ['sendMessage', 'getMessages', 'subscribe', 'register', 'createUser', 'updateOrganization']) {
    assert.ok(withExample.includes(name), name)
  }
  const entrances = ['openChat', 'actAs', 'createOrganization', 'subscribeToEvents', 'createApp', 'createChatServer']
  for (const name of entrances) {
    const text = documented.find((each) => each.name === name)?.text ?? ''
    assert.match(text, /@example/, name)
  }
})

test('every example compiles', onlyInFull('the compiler reads the whole library'), () => {
  using folder = new TemporaryFolder(join(root, 'node_modules/.cache'))
  const exported = new Set(Object.keys(library))
  const examples = documented.filter(({ name, text }) => exported.has(name) && text.includes('@example'))
  assert.ok(examples.length >= 20)
  const file = join(folder.path, 'examples.ts')
  const blocks = examples.map(({ name, text }, i) => {
    const code = text.slice(text.indexOf('@example') + '@example'.length).split(/^@/m)[0]!
    return `async function example${i}_${name}() {\n${code}\n}\nvoid example${i}_${name}\n`
  })
  // What examples assume: the library, and a caller.
  const given = `import * as library from '${relative(folder.path, join(root, 'src/index.ts'))}'
const { ${[...exported].join(', ')} } = library
declare const chat: library.Chat
declare const caller: library.Caller
declare const admin: library.Caller
declare const ann: library.Caller
declare const message_id: number, user_id: number, stream_id: number, user_group_id: number
declare const queue_id: string, last_event_id: number
`
  writeFileSync(file, given + blocks.join(''))
  const config = { extends: join(root, 'tsconfig.json'), files: [file], include: [] }
  writeFileSync(join(folder.path, 'tsconfig.json'), JSON.stringify(config))
  try {
    execFileSync(process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), '-p', folder.path], {
      encoding: 'utf8',
    })
  } catch (error) {
    assert.fail((error as { stdout: string }).stdout)
  }
})
