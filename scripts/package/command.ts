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
  await checkWebClient(server.url)
  await server.stop()
}

/** The page is in the package, with the files that it names, compressed. */
async function checkWebClient(url: string): Promise<void> {
  const page = await (await fetch(url)).text()
  const paths = [...page.matchAll(/(?:src|href)="(\/web\/[^"]+)"/g)].map(([, path]) => path!)
  assert.ok(paths.length >= 2, page)
  for (const path of paths) {
    const file = await fetch(url + path, { headers: { 'accept-encoding': 'br' } })
    assert.deepEqual([file.status, file.headers.get('content-encoding')], [200, 'br'], path)
  }
}
