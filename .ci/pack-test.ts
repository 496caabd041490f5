// Packs, installs into an empty folder, type-checks a consumer, starts the bin, and sends a message.
import assert from 'node:assert/strict'
import { execFileSync, spawn } from 'node:child_process'
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

const root = dirname(dirname(fileURLToPath(import.meta.url)))
const folder = mkdtempSync(join(tmpdir(), 'chat-server-pack-'))
const at = (cwd: string, command: string, args: string[]) =>
  execFileSync(command, args, { cwd, encoding: 'utf8', stdio: ['ignore', 'pipe', 'inherit'] })

try {
  at(root, 'npm', ['pack', '--silent', '--pack-destination', folder])
  const [tarball] = readdirSync(folder)
  writeFileSync(join(folder, 'package.json'), JSON.stringify({ private: true, type: 'module' }))
  at(folder, 'npm', ['install', '--silent', '--no-audit', '--no-fund', '--prefer-offline', `./${tarball}`])

  writeFileSync(
    join(folder, 'consumer.ts'),
    `import { type Chat, createOrganization, isChatError, openChat } from 'chat-server'
import { createChatServer } from 'chat-server/http'
import { testServer } from 'chat-server/testing'
const chat: Chat = await openChat()
await createOrganization(chat, { org: 'Packed', owner_email: 'o@example.com', owner_name: 'Owner' })
await using server = await createChatServer({ chat, port: 0 })
const response = await server.fetch('/api/v1/server_settings')
if (response.status !== 200 || isChatError(response)) throw new Error('no settings')
await using other = await testServer()
console.log(new URL(other.url).hostname)
await chat.close()
`,
  )
  const options = ['--module', 'nodenext', '--target', 'es2023', '--strict', '--skipLibCheck', '--types', 'node']
  const libs = ['--lib', 'es2023,esnext.disposable', '--typeRoots', join(root, 'node_modules/@types')]
  at(folder, process.execPath, [join(root, 'node_modules/typescript/bin/tsc'), ...options, ...libs, 'consumer.ts'])
  assert.equal(
    at(folder, process.execPath, ['--import', join(root, 'node_modules/tsx/dist/loader.mjs'), 'consumer.ts']),
    '127.0.0.1\n',
  )

  const bin = join(folder, 'node_modules/.bin/chat-server')
  const owner = JSON.parse(
    at(folder, bin, ['init', '--org', 'Packed', '--owner-email', 'o@example.com', '--owner-name', 'Owner', '--json']),
  )
  const server = spawn(bin, ['--port', '0'], { cwd: folder, stdio: ['ignore', 'pipe', 'inherit'] })
  try {
    const url = await new Promise<string>((resolve, reject) => {
      server.once('exit', (code) => reject(new Error(`the server ended with ${code}`)))
      server.stdout.on('data', (data) => {
        const ready = /^chat-server listening on (\S+)$/m.exec(String(data))
        if (ready) resolve(ready[1]!)
      })
    })
    const response = await fetch(`${url}/api/v1/messages`, {
      method: 'POST',
      headers: { authorization: `Basic ${Buffer.from(`${owner.email}:${owner.api_key}`).toString('base64')}` },
      body: new URLSearchParams({ type: 'stream', to: 'general', topic: 'packed', content: 'hello' }),
    })
    const answer = (await response.json()) as { result: string; id: number }
    assert.equal(answer.result, 'success')
    const ended = new Promise((resolve) => server.once('exit', resolve))
    server.removeAllListeners('exit').once('exit', (code) => assert.equal(code, 0))
    server.kill('SIGTERM')
    await Promise.race([ended, new Promise((resolve) => setTimeout(resolve, 5000))])
    console.log(`packed, installed, started, and sent message ${answer.id}`)
  } finally {
    server.kill('SIGKILL')
  }
} finally {
  rmSync(folder, { recursive: true, force: true })
}
