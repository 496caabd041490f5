import assert from 'node:assert/strict'
import { once } from 'node:events'
import {
  chmodSync,
  existsSync,
  lstatSync,
  mkdirSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs'
import { request } from 'node:http'
import { connect, createServer } from 'node:net'
import { dirname, join } from 'node:path'
import { text } from 'node:stream/consumers'
import test from 'node:test'
import { callRunningServer } from '../../src/admin/call-running-server.ts'
import { listenForCommands } from '../../src/admin/socket.ts'
import { findSocket, socketFile } from '../../src/admin/socket-path.ts'
import { createOrganization, openChat } from '../../src/index.ts'
import { TemporaryFolder } from '../temporary-folder.ts'

async function openIn(file: string) {
  const chat = await openChat({ db: file, passwordCost: 4 })
  await createOrganization(chat, { org: 'Elsinore', owner_email: 'o@example.com', owner_name: 'Ophelia' })
  const admin = await listenForCommands(chat)
  return {
    async [Symbol.asyncDispose]() {
      await admin[Symbol.asyncDispose]()
      await chat.close()
    },
  }
}

async function post(socketPath: string, body: string): Promise<string> {
  const [res] = await once(request({ socketPath, method: 'POST' }).end(body), 'response')
  return `${res.statusCode} ${await text(res)}`
}

test('answers invalid input with an error and keeps serving', async () => {
  using folder = new TemporaryFolder()
  const file = join(folder.path, 'chat.db')
  await using _ = await openIn(file)
  const form = '{"error":"A command must be a JSON object with \\"command\\" and \\"args\\""}\n'
  for (const body of ['', 'nonsense', '{}', 'null', '[1]', '{"command":"toString","args":{}}', '{"command":"init"}']) {
    assert.equal(await post(socketFile(file), body), `400 ${form}`, body)
  }
  const table: [object, RegExp][] = [
    [{ command: 'addUser', args: {} }, /Missing 'email' argument/],
    [{ command: 'addUser', args: { email: 7, name: 'X', role: 'member' } }, /email is not a string/],
    [{ command: 'backup', args: { file: ['x'] } }, /file is not a string/],
    [{ command: 'changeRole', args: { email: 'nobody@example.com', role: 'member' } }, /No account/],
  ]
  for (const [body, message] of table) assert.match(await post(socketFile(file), JSON.stringify(body)), message)

  const cut = connect(socketFile(file))
  await new Promise((resolve) => {
    cut.write('POST / HTTP/1.1\r\nhost: x\r\ncontent-length: 100\r\n\r\n{"comm', resolve)
  })
  cut.destroy()
  const raw = connect(socketFile(file)).resume()
  raw.write('\0\0\0 not HTTP at all\r\n\r\n')
  await once(raw, 'close')
  const { members } = (await callRunningServer(file, 'listUsers', {})) as { members: object[] }
  assert.equal(members.length, 1)
})

test('rejects an endless body', async () => {
  using folder = new TemporaryFolder()
  const file = join(folder.path, 'chat.db')
  await using _ = await openIn(file)
  const req = request({ socketPath: socketFile(file), method: 'POST' }).on('error', () => {})
  const answered = once(req, 'response')
  const piece = Buffer.alloc(1024 * 1024, 32)
  for (let i = 0; i < 18; i++) req.write(piece)
  const [res] = await answered
  assert.match(await text(res), /at most 16 MiB/)
  req.destroy()
})

test('explains a server that takes no connection', async () => {
  using folder = new TemporaryFolder()
  const file = join(folder.path, 'chat.db')
  writeFileSync(file, '')
  await using server = createServer((socket) => socket.destroy()).listen(socketFile(file))
  await once(server, 'listening')
  await assert.rejects(callRunningServer(file, 'listUsers', {}), /closed the connection before running listUsers/)
})

test('only the owner can use the socket, and it disappears with its server', async () => {
  using folder = new TemporaryFolder()
  const file = join(folder.path, 'chat.db')
  {
    await using _ = await openIn(file)
    assert.equal(statSync(socketFile(file)).mode & 0o777, 0o600)
    assert.equal(findSocket(file), socketFile(file))
  }
  assert.equal(existsSync(socketFile(file)), false)
  assert.equal(await callRunningServer(file, 'listUsers', {}), undefined)
})

for (const [why, prepare] of [
  ['in a folder open to all', (path: string) => chmodSync(path, 0o777)],
  ['where the path is too long for one', undefined],
] as const) {
  test(`${why} puts the socket in its own folder behind a symbolic link`, async () => {
    using folder = new TemporaryFolder()
    prepare?.(folder.path)
    const file = join(folder.path, prepare ? 'chat.db' : `${'x'.repeat(100)}.db`)
    let link: string
    {
      await using _ = await openIn(file)
      assert.ok(lstatSync(socketFile(file)).isSymbolicLink())
      link = readlinkSync(socketFile(file))
      assert.equal(statSync(dirname(link)).mode & 0o777, 0o700)
      assert.equal(findSocket(file), link)
      assert.ok(await callRunningServer(file, 'inspect', {}))
    }
    assert.deepEqual([existsSync(dirname(link)), existsSync(socketFile(file))], [false, false])
  })
}

test('cleans up after a killed server and follows no link of another user', async () => {
  using folder = new TemporaryFolder()
  const file = join(folder.path, 'chat.db')
  const precious = join(folder.path, 'precious')
  mkdirSync(precious)
  writeFileSync(join(precious, 'admin.sock'), 'kept')
  symlinkSync(join(precious, 'admin.sock'), socketFile(file))
  {
    await using _ = await openIn(file)
    assert.equal(findSocket(file), socketFile(file))
  }
  assert.ok(existsSync(join(precious, 'admin.sock')))
})

test('refuses an admin socket owned by another user', {
  skip: process.getuid?.() === 0 ? false : 'needs to be root',
}, async () => {
  using folder = new TemporaryFolder()
  const file = join(folder.path, 'chat.db')
  await using _ = await openIn(file)
  const { chownSync } = await import('node:fs')
  chownSync(socketFile(file), 12345, 12345)
  await assert.rejects(callRunningServer(file, 'listUsers', {}), /belongs to user 12345/)
  // The superuser may use a server that runs as the database's owner.
  chownSync(file, 12345, 12345)
  assert.ok(await callRunningServer(file, 'listUsers', {}))
})
