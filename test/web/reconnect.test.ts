import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import test, { after } from 'node:test'
import { TemporaryFolder } from '../temporary-folder.ts'
import { clientBuilt, closeBrowser, skip, visit } from './browser.ts'
import { message, sends } from './gestures.ts'

after(closeBrowser)

const command = ['--import', 'tsx', 'bin/chat-server.ts']

async function serve(db: string, port: string): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(process.execPath, [...command, '--db', db, '--port', port], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^chat-server listening on (\S+)$/.exec(line)?.[1]
    if (url) return { process: child, url }
  }
  throw new Error('the server ended before it listened')
}

test('after kill -9 of the server the page goes on where it was: nothing is missing, nothing doubled', {
  skip,
}, async (t) => {
  await clientBuilt()
  using folder = new TemporaryFolder()
  const db = `${folder.path}/chat.db`
  const init = ['init', '--db', db, '--org', 'Elsinore', '--owner-email', 'iago@example.com', '--owner-name', 'Iago']
  execFileSync(process.execPath, [...command, ...init, '--owner-password', 'correct horse'])
  const first = await serve(db, '0')
  const { port } = new URL(first.url)
  let running = first.process
  t.after(() => running.kill('SIGKILL'))
  const page = await visit(t, first.url, { email: 'iago@example.com', password: 'correct horse' })
  const address = await page.evaluate(
    `fetch('/json/get_stream_id?stream=general').then((answer) => answer.json()).then((answer) => '/#narrow/channel/' + answer.stream_id + '/topic/storm')`,
  )
  await page.goto(String(address))
  await sends(page, 'before the storm')
  await message(page, 'before the storm').waitFor()

  running.kill('SIGKILL')
  await once(running, 'exit')
  await sends(page, 'during the storm')
  // It stands there at once, unconfirmed, and the bar says why.
  await page.locator('.outgoing').filter({ hasText: 'during the storm' }).waitFor()
  await page.getByText('No connection').waitFor()
  running = (await serve(db, port)).process
  await page
    .getByRole('button', { name: 'Now' })
    .click({ timeout: 5000 })
    .catch(() => {})
  await page.locator('article[id]').filter({ hasText: 'during the storm' }).waitFor()
  await sends(page, 'after the storm')
  await page.locator('article[id]').filter({ hasText: 'after the storm' }).waitFor()
  await page.getByText('No connection').waitFor({ state: 'detached' })
  for (const text of ['before the storm', 'during the storm', 'after the storm']) {
    assert.equal(await page.locator('article').filter({ hasText: text }).count(), 1, text)
  }
})
