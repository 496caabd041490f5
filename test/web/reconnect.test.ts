import assert from 'node:assert/strict'
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import test, { after } from 'node:test'
import { sweep } from '../../src/core/event-queues/sweep.ts'
import { testServer } from '../../src/testing/index.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { clientBuilt, closeBrowser, skip, visit } from './browser.ts'
import { message, openTopic, sends, until, writes } from './gestures.ts'

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

test('after hours of sleep, the queue gone, the page is where it was: nothing missing, nothing doubled, the text kept', {
  skip,
}, async (t) => {
  await clientBuilt()
  await using server = await testServer({
    web: true,
    streams: { watch: { members: ['hamlet', 'cordelia'], topics: { night: 120 } } },
  })
  const { hamlet, cordelia } = server.people
  await hamlet.api.post('/mark_all_as_read')
  const page = await visit(t, server.url, hamlet)
  await openTopic(page, server, 'watch', 'night')
  await page.locator('article[id]').nth(20).waitFor()
  await page.evaluate(`document.querySelector('.feed').scrollBy(0, -600)`)
  await page.waitForTimeout(300)
  const inSight = `(() => {
    const top = document.querySelector('.feed').getBoundingClientRect().top
    const line = [...document.querySelectorAll('article[id]')].find((one) => one.getBoundingClientRect().bottom > top + 1)
    return JSON.stringify([line.id, Math.round(line.getBoundingClientRect().top)])
  })()`
  const place = await page.evaluate(inSight)
  await writes(page, 'Who is')

  // The lid is closed: no request comes through, and on the server hours go by.
  const registered = () => server.requests.filter(({ path }) => path.endsWith('/register')).length
  const before = registered()
  await page.context().setOffline(true)
  await page.waitForTimeout(200)
  server.clock.advance(5 * 3600 * 1000)
  await sweep(server.chat)
  const { queue_id } = server.requests.findLast(({ path }) => path.endsWith('/events'))!.params
  // A poll whose line has died is still open for the server, and holds the queue; here it is ended with it.
  await hamlet.api.delete('/events', { queue_id }).catch(() => {})
  for (const text of ['It strikes one', 'It strikes two'])
    await cordelia.says(text, { stream: 'watch', topic: 'night' })
  await writes(page, 'Who is there?')
  await page.context().setOffline(false)
  for (let n = 0; n < 300 && registered() === before; n++) await page.waitForTimeout(100)
  assert.ok(registered() > before)
  await page.getByText('No connection').waitFor({ state: 'detached' })
  await until(page, `document.querySelector('.places .count') !== null`)
  assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'Who is there?')
  assert.equal(await page.evaluate(inSight), place)
  await page.getByRole('button', { name: 'Newest' }).click()
  for (const text of ['It strikes one', 'It strikes two']) {
    await message(page, text).waitFor()
    assert.equal(await page.locator('article').filter({ hasText: text }).count(), 1, text)
  }
  const ids = `[...document.querySelectorAll('article[id]')].map((one) => Number(one.id.replace('message-', '')))`
  const shown = (await page.evaluate(ids)) as number[]
  assert.deepEqual(
    shown,
    [...new Set(shown)].sort((a, b) => a - b),
  )
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  await page.locator('article[id]').filter({ hasText: 'Who is there?' }).waitFor()
  assert.equal(await page.locator('article').filter({ hasText: 'Who is there?' }).count(), 1)
})
