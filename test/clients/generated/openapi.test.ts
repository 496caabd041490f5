import assert from 'node:assert/strict'
import { execFile } from 'node:child_process'
import { copyFileSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs'
import { createRequire } from 'node:module'
import { dirname, join } from 'node:path'
import test from 'node:test'
import { fileURLToPath, pathToFileURL } from 'node:url'
import { promisify } from 'node:util'
import { createChatServer } from '../../../src/http/server.ts'
import { world } from '../../../src/testing/world.ts'
import { png } from '../../files/images.ts'
import { onlyInFull } from '../../rounds.ts'

const workspace = fileURLToPath(new URL('./', import.meta.url))
const packages = createRequire(join(workspace, 'package.json'))

// Asynchronous, so that the server in this process can close idle connections.
const node = (...args: string[]) => promisify(execFile)(process.execPath, args)

interface Account {
  url: string
  email: string
  key: string
}
interface Conversation {
  converse(ann: Account, bob: Account, image: Uint8Array): Promise<string[]>
}

const compiles = onlyInFull('a generator and a compiler run')

test('a client generated from the API document compiles strictly and holds a conversation', compiles, async () => {
  await using w = await world()
  await using server = await createChatServer({ chat: w.chat, port: 0, rateLimit: false })
  // Inside the workspace, where the packages are found.
  const folder = mkdtempSync(join(workspace, '.generated-'))
  try {
    const document = join(folder, 'openapi.json')
    writeFileSync(document, await (await fetch(`${server.url}/api/v1/openapi.json`)).text())
    const generator = join(dirname(packages.resolve('openapi-typescript/package.json')), 'bin/cli.js')
    await node(generator, document, '--output', join(folder, 'api.ts'))
    copyFileSync(join(workspace, 'conversation.ts'), join(folder, 'conversation.ts'))
    const options = ['--strict', '--exactOptionalPropertyTypes', '--noUncheckedIndexedAccess', '--skipLibCheck']
    const target = ['--module', 'nodenext', '--target', 'es2023', '--types', 'node']
    await node(packages.resolve('typescript/bin/tsc'), ...options, ...target, join(folder, 'conversation.ts'))
    const { href } = pathToFileURL(join(folder, 'conversation.js'))
    const { converse }: Conversation = await import(href)

    const { iago, hamlet } = w.people
    const account = ({ email, key }: typeof iago): Account => ({ url: server.url, email, key })
    assert.deepEqual(await converse(account(iago), account(hamlet), png()), [
      'level 489',
      'users iago,hamlet,cordelia,polonius',
      'general > lunch: soup?',
      'general > lunch: bread',
      'iago & hamlet: just us',
      'narrowed 2 true',
      'message lunch',
      'message lunch',
      'message hamlet',
      'reaction add tada',
      'emoji soup',
      'refused STREAM_DOES_NOT_EXIST nowhere',
      'forbidden UNAUTHORIZED_PRINCIPAL 400',
      'banana Invalid type',
    ])
  } finally {
    rmSync(folder, { recursive: true, force: true })
  }
})
