import assert from 'node:assert/strict'
import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createInterface } from 'node:readline'
import { sweep } from '../../src/core/events/queues/sweep.ts'
import { createOrganization, openChat } from '../../src/index.ts'
import { testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { TemporaryFolder } from '../temporary-folder.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { message, openTopic, sends, settles, until, writes } from './gestures.ts'

async function serve(db: string, port: string): Promise<{ process: ChildProcess; url: string }> {
  const child = spawn(process.execPath, ['bin/chat-server.ts', '--db', db, '--port', port], {
    stdio: ['ignore', 'pipe', 'ignore'],
  })
  for await (const line of createInterface({ input: child.stdout })) {
    const url = /^chat-server listening on (\S+)$/.exec(line)?.[1]
    if (url) return { process: child, url }
  }
  throw new Error('the server ended before it listened')
}

browserTest('resumes after kill -9 of the server without losing or repeating messages', async (t) => {
  using folder = new TemporaryFolder()
  const db = `${folder.path}/chat.db`
  {
    await using chat = await openChat({ db, passwordCost: 4 })
    const owner = { owner_email: 'iago@example.com', owner_name: 'Iago', owner_password: 'correct horse' }
    await createOrganization(chat, { org: 'Elsinore', ...owner })
  }
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
  await page.locator('article[id]').filter({ hasText: 'before the storm' }).waitFor()

  running.kill('SIGKILL')
  await once(running, 'exit')
  await sends(page, 'during the storm')
  // It is shown immediately, unconfirmed, and the bar says why.
  await page.locator('.outgoing').filter({ hasText: 'during the storm' }).waitFor()
  await page.getByText("You're offline").waitFor()
  running = (await serve(db, port)).process
  await page
    .getByRole('button', { name: 'Reconnect now' })
    .click({ timeout: 5000 })
    .catch(() => {})
  await page.locator('article[id]').filter({ hasText: 'during the storm' }).waitFor()
  await sends(page, 'after the storm')
  await page.locator('article[id]').filter({ hasText: 'after the storm' }).waitFor()
  await page.getByText("You're offline").waitFor({ state: 'detached' })
  for (const text of ['before the storm', 'during the storm', 'after the storm']) {
    assert.equal(await page.locator('article').filter({ hasText: text }).count(), 1, text)
  }
})

browserTest('resumes after hours of sleep and a lost queue, and keeps unsent text', async (t) => {
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
  const inSight = `(() => {
    const top = document.querySelector('.feed').getBoundingClientRect().top
    const line = [...document.querySelectorAll('article[id]')].find((one) => one.getBoundingClientRect().bottom > top + 1)
    return { id: line.id, top: line.getBoundingClientRect().top }
  })()`
  const placeNow = () => page.evaluate(inSight) as Promise<{ id: string; top: number }>
  await settles(page, server)
  const place = await placeNow()
  await writes(page, 'Who is')

  // The lid is closed: no request comes through, and on the server hours go by.
  const registered = () => server.requests.filter(({ path }) => path.endsWith('/register')).length
  const before = registered()
  await page.context().setOffline(true)
  await page.getByText("You're offline").waitFor()
  server.clock.advance(5 * 3600 * 1000)
  await sweep(server.chat)
  const { queue_id } = server.requests.findLast(
    ({ method, path }) => method === 'GET' && path.endsWith('/events'),
  )!.params
  // A poll whose line has died is still open for the server, and holds the queue; here it is ended with it.
  await hamlet.api.delete('/events', { queue_id }).catch(() => {})
  for (const text of ['It strikes one', 'It strikes two'])
    await cordelia.says(text, { stream: 'watch', topic: 'night' })
  await writes(page, 'Who is there?')
  await page.context().setOffline(false)
  await eventually('the page registers again', () => registered() > before)
  await page.getByText("You're offline").waitFor({ state: 'detached' })
  await until(page, `document.querySelector('.places .count') !== null`)
  assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'Who is there?')
  // A row may stand at a part of a pixel, and the height of the feed is a whole one.
  await until(page, `(({ id, top }) => id === '${place.id}' && Math.abs(top - ${place.top}) <= 1)(${inSight})`)
  await page.getByRole('button', { name: 'Jump to latest' }).click()
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

browserTest('recent conversations reload and resume after a reconnect', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  await cordelia.says('Before', { topic: 'first' })
  const page = await visit(t, server.url, hamlet)
  await page.goto('/#recent')
  const row = (topic: string) => page.getByRole('main').getByRole('link', { name: topic })
  await row('first').waitFor()
  await settles(page, server)
  const polls = () => server.requests.filter(({ method, path }) => method === 'GET' && path.endsWith('/events'))
  const { queue_id } = polls().at(-1)!.params
  await hamlet.api.delete('/events', { queue_id })
  await eventually('the page has another queue', () => polls().at(-1)!.params.queue_id !== queue_id)
  await cordelia.says('After', { topic: 'second' })
  await row('second').waitFor()
  await row('first').waitFor()
  assert.equal(await page.getByText('No messages yet').count(), 0)
})

browserTest('loads topics of a stream opened offline once online', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  await hamlet.says('To be', { topic: 'questions' })
  const page = await visit(t, server.url, hamlet)
  const list = page.getByRole('navigation', { name: 'Conversations' })
  const fold = list.getByRole('button', { name: 'Topics in general' })
  await fold.waitFor()
  await settles(page, server)
  await page.context().setOffline(true)
  await page.getByText("You're offline").waitFor()
  await fold.click()
  await until(page, `document.querySelector('.topics') !== null`)
  assert.equal(await list.getByRole('link', { name: 'questions' }).count(), 0)
  await page.context().setOffline(false)
  await list.getByRole('link', { name: 'questions' }).waitFor()
})

browserTest('loads a conversation opened offline once online', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  await hamlet.says('To be', { topic: 'questions' })
  const page = await visit(t, server.url, hamlet)
  await page.goto('/#inbox')
  await settles(page, server)
  await page.context().setOffline(true)
  await page.getByText("You're offline").waitFor()
  await openTopic(page, server, 'general', 'questions')
  await page.getByText("Couldn't load messages").waitFor()
  await page.context().setOffline(false)
  await message(page, 'To be').waitFor()
})
