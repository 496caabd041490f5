import assert from 'node:assert/strict'
import { manualClock, testServer } from '../../src/testing/index.ts'
import { browserPath, newPage, problemsOf, skipWithout, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { chooses, message, openTopic, sends, signInHere } from './gestures.ts'

// Ten things that people do every day, in one world: the part of the browser tests that runs each time.

const reason = skipWithout(browserPath())
if (reason) console.log(`The browser smoke test is skipped. ${reason}`)

browserTest('people do their everyday tasks', async (t) => {
  await using server = await testServer({
    web: true,
    clock: manualClock(Date.now()),
    streams: { verona: { members: ['hamlet', 'cordelia'] } },
  })
  const { hamlet, cordelia } = server.people
  await cordelia.says('Something is rotten', { stream: 'verona', topic: 'state' })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  const other = await visit(t, server.url, cordelia)
  const confirmed = (text: string) => page.locator('article[id]').filter({ hasText: text })
  let hasFailed = false
  /** One flow after the other; those after one that failed would wait for what never comes. */
  const flow = (name: string, run: () => Promise<void>) =>
    t.test(name, { skip: hasFailed && 'an earlier flow failed' }, async () => {
      hasFailed = true
      await run()
      hasFailed = false
    })

  await flow('signs in with the form', async () => {
    await page.goto('/')
    await signInHere(page, hamlet.email, hamlet.password)
    await page.locator('.account').getByText('hamlet').waitFor()
  })
  await flow('reads an unread message from the inbox', async () => {
    await page.locator('#main-view').getByRole('link', { name: 'state' }).click()
    await message(page, 'Something is rotten').waitFor()
    await page.waitForURL(/#narrow\/channel\/.*\/topic\/state/)
  })
  await flow('sends a message', async () => {
    await sends(page, 'Not a mouse stirring')
    await confirmed('Not a mouse stirring').waitFor()
    const { messages } = await cordelia.api.get('/messages', {
      ...{ anchor: 'newest', num_before: 1, num_after: 0 },
      ...{ narrow: [{ operator: 'topic', operand: 'state' }] },
    })
    assert.match(messages[0].content, /Not a mouse stirring/)
  })
  await flow('sees another person’s message without a reload, and is seen', async () => {
    await openTopic(other, server, 'verona', 'state')
    await message(other, 'Not a mouse stirring').waitFor()
    await sends(other, 'Well, good night')
    await confirmed('Well, good night').waitFor()
  })
  await flow('edits a message', async () => {
    await chooses(page, 'Not a mouse stirring', 'Edit')
    await page.getByRole('textbox', { name: 'Edit message' }).fill('Not a rat stirring')
    await page.getByRole('textbox', { name: 'Edit message' }).press('Control+Enter')
    await confirmed('Not a rat stirring').waitFor()
    await message(other, 'Not a rat stirring').waitFor()
  })
  await flow('reacts to a message', async () => {
    const line = message(page, 'Well, good night')
    await line.hover()
    await line.getByRole('button', { name: 'Add reaction' }).click()
    await page.getByRole('searchbox', { name: 'Search emoji' }).fill('octopus')
    await page.getByRole('button', { name: 'octopus', exact: true }).click()
    await other.getByRole('button', { name: 'octopus: hamlet' }).waitFor()
  })
  await flow('uploads a file', async () => {
    const plan = { name: 'plan.txt', mimeType: 'text/plain', buffer: Buffer.from('the plan') }
    await page.locator('.compose input[type=file]').setInputFiles(plan)
    await page.getByRole('button', { name: 'Remove plan.txt' }).waitFor()
    await page.getByRole('button', { name: 'Send', exact: true }).click()
    await message(other, 'plan.txt').getByRole('link', { name: 'plan.txt' }).waitFor()
  })
  await flow('sends what was written offline once back online', async () => {
    await page.context().setOffline(true)
    await sends(page, 'Who is there?')
    await page.locator('.outgoing').filter({ hasText: 'Who is there?' }).waitFor()
    await page.context().setOffline(false)
    await message(other, 'Who is there?').waitFor()
    assert.equal(await other.locator('article').filter({ hasText: 'Who is there?' }).count(), 1)
  })
  await flow('finds a message', async () => {
    const box = page.getByRole('combobox', { name: 'Search messages' })
    await box.fill('rotten')
    await box.press('Enter')
    await page.locator('article .highlight').filter({ hasText: 'rotten' }).waitFor()
  })
  await flow('writes a direct message', async () => {
    await page.goto(`/#narrow/dm/${cordelia.id}`)
    await sends(page, 'Only for you')
    await confirmed('Only for you').waitFor()
    await other.goto(`/#narrow/dm/${hamlet.id}`)
    await message(other, 'Only for you').waitFor()
  })
  await flow('saves a setting', async () => {
    await page.goto('/#settings/profile')
    const name = page.getByRole('textbox', { name: 'Name', exact: true })
    await name.fill('Hamlet of Elsinore')
    await name.blur()
    await page.getByText('Saved').waitFor()
    await other.getByText('Hamlet of Elsinore').first().waitFor()
  })
  const offline = /ERR_INTERNET_DISCONNECTED/
  assert.deepEqual(
    [...problemsOf.get(page)!, ...problemsOf.get(other)!].filter((one) => !offline.test(one)),
    [],
  )
})
