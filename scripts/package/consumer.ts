import assert from 'node:assert/strict'
import { readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { type Installed, olderCompilers } from './install.ts'

const consumer = `import { type Chat, actAs, createOrganization, isChatError, openChat, sendMessage } from 'chat-server'
import { listenForCommands } from 'chat-server/admin'
import { createClient } from 'chat-server/client'
import { createChatServer } from 'chat-server/http'
import { testServer } from 'chat-server/testing'
const chat: Chat = await openChat({ db: 'consumer.db' })
await using _ = await listenForCommands(chat)
const { email, api_key } = await createOrganization(chat, { org: 'Packed', owner_email: 'o@example.com', owner_name: 'Owner' })
await sendMessage(await actAs(chat, { email }), { type: 'stream', to: 'general', topic: 'packed', content: 'hello' })
await using server = await createChatServer({ chat, port: 0 })
const response = await server.fetch('/api/v1/server_settings')
if (response.status !== 200 || isChatError(response)) throw new Error('no settings')
const { id } = await createClient({ url: server.url, credentials: { email, key: api_key } }).sendMessage({
  type: 'stream', to: 'general', topic: 'packed', content: 'from a client',
})
if (!Number.isInteger(id)) throw new Error('no id')
await using other = await testServer()
console.log(new URL(other.url).hostname)
await chat.close()
`

const typed = (name: string): string => readFileSync(new URL(`./types/${name}`, import.meta.url), 'utf8')

/** Tests the library: every entry resolves, its types are strict and need no cast, and it runs, from CommonJS too. */
export function checkLibrary(installed: Installed): void {
  assert.equal(installed.runModule('consumer.ts', consumer), '127.0.0.1\n')
  assert.equal(installed.runModule('library.ts', typed('library.ts')), 'true\n')
  for (const name of ['register.ts', 'common.cts']) writeFileSync(join(installed.folder, name), typed(name))
  const read = installed.typecheck('consumer.ts', 'library.ts', 'register.ts', 'common.cts')
  // Our declarations must not need other packages' types, which would have to be installed and compile in every
  // project.
  const known = ['chat-server', 'kysely', 'valibot']
  assert.deepEqual(
    [...read].filter((name) => !/^(@types\/|undici-types$|buffer$|@?typescript)/.test(name)).sort(),
    known,
  )
  for (const version of olderCompilers) installed.typecheckWith(version, 'consumer.ts', 'library.ts', 'register.ts')
  checkSize(join(installed.folder, 'node_modules/chat-server/dist'))
  installed.compile('common.cts')
  assert.equal(installed.run(process.execPath, 'common.cjs'), 'stream 200 function\n')
}

const MOST_DECLARATIONS = 620_000

/** Throws if the declarations have become so large that editors slow down. */
function checkSize(folder: string): void {
  const files = (readdirSync(folder, { recursive: true }) as string[]).filter((file) => file.endsWith('.d.ts'))
  const bytes = files.reduce((sum, file) => sum + statSync(join(folder, file)).size, 0)
  console.log(`${files.length} declaration files with ${Math.round(bytes / 1000)} kB`)
  assert.ok(bytes < MOST_DECLARATIONS, `the declarations have ${bytes} bytes`)
}
