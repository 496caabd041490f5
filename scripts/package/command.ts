import assert from 'node:assert/strict'
import { type Installed, serve } from './install.ts'
import { commandIn } from './programs.ts'

/** Tests the command: it creates an organization, serves, accepts a message, invites, closes, opens, and stops in order. */
export async function checkCommand(installed: Installed): Promise<void> {
  const init = ['init', '--org', 'Packed', '--owner-email', 'o@example.com', '--owner-name', 'Owner', '--json']
  const owner = JSON.parse(installed.run(...commandIn(installed.folder), ...init, '--db', 'command.db'))
  await using server = await serve(installed, '--port', '0', '--db', 'command.db')
  const headers = { authorization: `Basic ${Buffer.from(`${owner.email}:${owner.api_key}`).toString('base64')}` }
  const post = async (path: string, params: Record<string, string>) => {
    const body = new URLSearchParams(params)
    const answer = await fetch(`${server.url}/api/v1${path}`, { method: 'POST', headers, body })
    return (await answer.json()) as { result: string; invite_link: string }
  }
  const message = { type: 'stream', to: 'general', topic: 'packed', content: 'hello' }
  assert.equal((await post('/messages', message)).result, 'success')
  const { invite_link } = await post('/invites/multiuse', {})
  assert.match(await (await fetch(invite_link)).text(), /<h1>Join Packed<\/h1>.*<form/s)
  const org = (...words: string[]) =>
    installed.run(...commandIn(installed.folder), 'org', ...words, '--db', 'command.db')
  org('deactivate')
  assert.equal((await post('/messages', message)).result, 'error')
  org('reactivate')
  assert.equal((await post('/messages', message)).result, 'success')
  await checkWebClient(server.url)
  await server.stop()
}

/** Tests that the package contains the page and the compressed files that it names. */
async function checkWebClient(url: string): Promise<void> {
  const page = await (await fetch(url)).text()
  const paths = [...page.matchAll(/(?:src|href)="\.(\/web\/[^"]+)"/g)].map(([, path]) => path!)
  assert.ok(paths.length >= 2, page)
  for (const path of paths) {
    const file = await fetch(url + path, { headers: { 'accept-encoding': 'br' } })
    assert.deepEqual([file.status, file.headers.get('content-encoding')], [200, 'br'], path)
  }
}
