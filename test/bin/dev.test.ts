import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import test from 'node:test'
import { command, serve, WorkingFolder } from './in-process.ts'

test('serve --dev creates the demo accounts and listens on loopback only', async () => {
  using folder = new WorkingFolder()
  for (const args of [
    ['--host', '0.0.0.0'],
    ['--host', '::'],
    ['--host', '192.0.2.1'],
    ['--public-url', 'https://chat.example.com'],
    ['--trust-proxy'],
  ]) {
    const { code, err } = await command(['--dev', '--port', '0', ...args])
    assert.deepEqual([args, code], [args, 1])
    assert.match(err, /^chat-server: --dev returns keys without passwords[^\n]+\n$/)
  }
  assert.deepEqual(readdirSync(folder.path), [])
  await using server = await serve(['--dev', '--port', '0'])
  const body = new URLSearchParams({ username: 'hamlet@zulip.com' })
  const given = await fetch(`${server.url}/api/v1/dev_fetch_api_key`, { method: 'POST', body })
  const { api_key } = (await given.json()) as { api_key: string }
  const authorization = `Basic ${Buffer.from(`hamlet@zulip.com:${api_key}`).toString('base64')}`
  const own = await fetch(`${server.url}/api/v1/users/me`, { headers: { authorization } })
  assert.equal(((await own.json()) as { full_name: string }).full_name, 'King Hamlet')
})
