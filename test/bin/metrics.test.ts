import assert from 'node:assert/strict'
import { once } from 'node:events'
import { readdirSync } from 'node:fs'
import { createServer } from 'node:net'
import test from 'node:test'
import { eventually } from '../eventually.ts'
import { command, serve, WorkingFolder } from './in-process.ts'

test('serves metrics only on request, on their own port and not through the API', async () => {
  using _folder = new WorkingFolder()
  await using server = await serve(['--port', '0', '--metrics-port', '0'])
  const url = /^metrics on (\S+)$/m.exec(server.out())![1]!
  assert.match(url, /^http:\/\/127\.0\.0\.1:\d+\/metrics$/)
  await fetch(`${server.url}/health`)
  const text = await (await fetch(url)).text()
  assert.match(text, /^chat_http_requests_total\{method="GET",route="\/health",status="200"\} 1$/m)
  assert.match(text, /^chat_database_log_bytes [1-9]\d*$/m)
  assert.equal((await fetch(`${server.url}/metrics`)).status, 404)
  assert.equal(await server.stop(), 0)
})

test('fails before creating anything when the metrics port is unavailable', async () => {
  using folder = new WorkingFolder()
  const blocker = createServer().listen(0, '127.0.0.1').unref()
  await once(blocker, 'listening')
  const { port } = blocker.address() as { port: number }
  const table: [args: string[], message: RegExp][] = [
    [
      ['--metrics-port', String(port)],
      new RegExp(`port ${port} is in use by \\S+ .*. Choose another with --metrics-port`),
    ],
    [['--metrics-port', '0', '--metrics-host', '192.0.2.1'], /192\.0\.2\.1 is not an address of this machine/],
    [['--metrics-port', 'banana'], /The port must be between 0 and 65535/],
  ]
  // The blocker does not count: it keeps no process alive.
  const listening = () => process.getActiveResourcesInfo().filter((name) => name === 'TCPServerWrap').length
  for (const [args, message] of table) {
    const { code, err } = await command(['--port', '0', ...args])
    assert.equal(code, 1)
    assert.match(err, message)
    assert.deepEqual(readdirSync(folder.path), [])
    await eventually('the other port is free again', () => listening() === 0)
  }
})
