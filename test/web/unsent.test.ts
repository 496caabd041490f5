import assert from 'node:assert/strict'
import type { TestContext } from 'node:test'
import type { Page, Route } from 'playwright-core'
import { manualClock, type Person, type TestServer, testServer } from '../../src/testing/index.ts'
import { visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { boxHas, chooses, message, openTopic, sends, signInHere, until, writes } from './gestures.ts'

const offline = (page: Page) => page.context().setOffline(true)
const online = (page: Page) => page.context().setOffline(false)
const said = async ({ people }: TestServer, topic: string): Promise<string[]> => {
  const narrow = [{ operator: 'topic', operand: topic }]
  const params = { anchor: 'oldest', num_before: 0, num_after: 50, narrow, apply_markdown: false }
  return (await people.iago.api.get('/messages', params)).messages.map(({ content }: { content: string }) => content)
}

browserTest('sends offline messages of two tabs once, even if one closes and one reloads', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  const other = await page.context().newPage()
  const third = await page.context().newPage()
  const tabs = [page, other, third]
  for (const tab of tabs) {
    await tab.goto('/')
    await openTopic(tab, server, 'general', 'tabs')
    await until(tab, 'navigator.serviceWorker.controller !== null')
  }
  // The reloaded page is made from the stored data.
  await until(page, `localStorage.getItem('screen') !== null`)
  await offline(page)
  for (const [i, tab] of tabs.entries()) {
    await sends(tab, `From tab ${i}`)
    await tab
      .locator('.outgoing')
      .filter({ hasText: `From tab ${i}` })
      .waitFor()
  }
  const stored = `new Promise((resolve) => {
    const opening = indexedDB.open('chat')
    opening.onsuccess = () => {
      const reading = opening.result.transaction('outbox').objectStore('outbox').getAll()
      reading.onsuccess = () => { opening.result.close(); resolve(reading.result.flat().length) }
    }
  })`
  await until(page, `${stored}.then((count) => count === 3)`)
  await third.close()
  await page.reload()
  await page.locator('.outgoing').filter({ hasText: 'From tab 2' }).waitFor()
  await online(page)
  for (const i of [0, 1, 2])
    await page
      .locator('article[id]')
      .filter({ hasText: `From tab ${i}` })
      .waitFor()
  await until(page, `${stored}.then((count) => count === 0)`)
  assert.deepEqual((await said(server, 'tabs')).sort(), ['From tab 0', 'From tab 1', 'From tab 2'])
})

browserTest('text from an expired session returns only to its author', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet } = server.people
  const page = await reads(t, server)
  await writes(page, 'I am thy father')
  await endSession(hamlet)
  await page.getByLabel('Password').waitFor()
  assert.equal(await page.evaluate(`JSON.stringify(localStorage).includes('father')`), false)
  await signInHere(page, hamlet.email, hamlet.password)
  await boxHas(page, 'I am thy father')
})

browserTest("doesn't save an expired session's pending text for the next user", async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia } = server.people
  const page = await reads(t, server)
  const held: Route[] = []
  await page.route('**/json/drafts', (route) => void held.push(route))
  const isAsked = page.waitForRequest('**/json/drafts')
  await writes(page, 'I am thy father')
  await isAsked
  await endSession(hamlet)
  await signInHere(page, cordelia.email, cordelia.password)
  await page.getByRole('button', { name: 'account of cordelia' }).waitFor()
  for (const route of held) await route.continue().catch(() => {})
  await page.unroute('**/json/drafts')
  await openTopic(page, server, 'general', 'letters')
  await sends(page, 'I will speak')
  await page.locator('article[id]').filter({ hasText: 'I will speak' }).waitFor()
  assert.deepEqual((await cordelia.api.get('/drafts')).drafts, [])
})

browserTest("doesn't show an expired session's open edit to the next user", async (t) => {
  await using server = await testServer({ web: true, clock: manualClock(Date.now()) })
  const { hamlet, cordelia } = server.people
  const page = await reads(t, server)
  await sends(page, 'I am thy father')
  await page.locator('article[id]').filter({ hasText: 'I am thy father' }).waitFor()
  await chooses(page, 'I am thy father', 'Edit')
  const edit = page.getByRole('textbox', { name: 'Edit message' })
  await edit.fill('I am thy spirit')
  await endSession(hamlet)
  await signInHere(page, cordelia.email, cordelia.password)
  await page.getByRole('button', { name: 'account of cordelia' }).waitFor()
  await openTopic(page, server, 'general', 'ghosts')
  await message(page, 'I am thy father').waitFor()
  assert.equal(await edit.count(), 0)
})

browserTest('a failed sign-out while offline keeps unsent messages and drafts', async (t) => {
  await using server = await testServer({ web: true })
  const page = await reads(t, server)
  await until(page, `localStorage.getItem('screen') !== null`)
  await offline(page)
  const waits = (text: string) => page.locator('.outgoing').filter({ hasText: text }).waitFor()
  await sends(page, 'I am dead')
  await waits('I am dead')
  await writes(page, 'The rest is silence')
  await page.getByRole('button', { name: /account of hamlet/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByRole('dialog').getByRole('button', { name: 'Sign out' }).click()
  await page.getByRole('alert').filter({ hasText: 'reach the server' }).waitFor()
  await waits('I am dead')
  await boxHas(page, 'The rest is silence')
  await page.getByRole('textbox', { name: 'Message' }).press('Control+Enter')
  await waits('The rest is silence')
  await online(page)
  for (const text of ['I am dead', 'The rest is silence'])
    await page.locator('article[id]').filter({ hasText: text }).waitFor()
  assert.deepEqual(await said(server, 'ghosts'), ['Speak', 'I am dead', 'The rest is silence'])
})

browserTest('asks before signing out when an unsent message would be lost', async (t) => {
  await using server = await testServer({ web: true })
  const page = await reads(t, server)
  server.fail('POST */messages', { status: 400 })
  await sends(page, 'Mark me')
  await message(page, 'Mark me').getByText('Not sent: ').waitFor()
  const signsOut = async () => {
    await page.getByRole('button', { name: /account of hamlet/ }).click()
    await page.getByRole('menuitem', { name: 'Sign out' }).click()
  }
  const dialog = page.getByRole('dialog')
  await signsOut()
  await dialog.getByText("1 message hasn't been sent").waitFor()
  await dialog.getByRole('button', { name: 'Cancel' }).click()
  await dialog.waitFor({ state: 'detached' })
  await message(page, 'Mark me').getByText('Not sent: ').waitFor()
  await signsOut()
  await dialog.getByRole('button', { name: 'Sign out' }).click()
  await page.getByLabel('Password').waitFor()
})

/** Opens the window of a user who has read a message and is about to answer. */
async function reads(t: TestContext, server: TestServer): Promise<Page> {
  await server.cordelia.says('Speak', { topic: 'ghosts' })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'ghosts')
  await message(page, 'Speak').waitFor()
  return page
}

/** As when somebody ends the session of a browser from elsewhere. */
async function endSession({ api }: Person): Promise<void> {
  const { api_keys } = await api.get('/users/me/api_keys')
  const { id } = api_keys.find(({ name }: { name: string }) => name.includes(' on '))
  await api.delete(`/users/me/api_keys/${id}`)
}
