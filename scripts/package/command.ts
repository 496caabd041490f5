import assert from 'node:assert/strict'
import { type Installed, serve } from './install.ts'

/** Tests the command: it creates an organization, serves, accepts a message, and stops in order. */
export async function checkCommand(installed: Installed): Promise<void> {
  const init = ['init', '--org', 'Packed', '--owner-email', 'o@example.com', '--owner-name', 'Owner', '--json']
  const owner = JSON.parse(installed.run('node_modules/.bin/chat-server', ...init, '--db', 'command.db'))
  await using server = await serve(installed, '--port', '0', '--db', 'command.db')
  const response = await fetch(`${server.url}/api/v1/messages`, {
    method: 'POST',
    headers: { authorization: `Basic ${Buffer.from(`${owner.email}:${owner.api_key}`).toString('base64')}` },
    body: new URLSearchParams({ type: 'stream', to: 'general', topic: 'packed', content: 'hello' }),
  })
  assert.equal(((await response.json()) as { result: string }).result, 'success')
  await server.stop()
}
