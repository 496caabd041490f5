import assert from 'node:assert/strict'
import { createServer, request } from 'node:http'
import type { AddressInfo } from 'node:net'
import test, { after, type TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { testServer } from '../../src/testing/index.ts'
import { clientBuilt, closeBrowser, newPage, signIn, skip, visit } from './browser.ts'
import { message, openTopic, sends, until } from './gestures.ts'

after(closeBrowser)

/** What the page has kept of messages. */
const kept = `new Promise((resolve) => {
  const opening = indexedDB.open('chat')
  opening.onsuccess = () => {
    const database = opening.result
    if (!database.objectStoreNames.contains('kept')) return database.close(), resolve('')
    const reading = database.transaction('kept').objectStore('kept').getAll()
    reading.onsuccess = () => { database.close(); resolve(JSON.stringify(reading.result)) }
  }
})`
const cachedPaths = `caches.open('web-client').then((cache) => cache.keys()).then((all) => all.map(({ url }) => new URL(url).pathname))`

/** Waits until the browser has kept the page, the state and a message. */
async function keeps(page: Page, text: string): Promise<void> {
  await until(page, 'navigator.serviceWorker.controller !== null')
  await until(page, `${kept}.then((all) => all.includes('realm_users') && all.includes(${JSON.stringify(text)}))`)
  await until(page, `${cachedPaths}.then((paths) => paths.includes('/'))`)
}

test('without a connection the last view is shown, says so, and goes on when there is one', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  await server.cordelia.says('Rosemary, for remembrance', { topic: 'herbs' })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'herbs')
  await message(page, 'Rosemary').waitFor()
  await keeps(page, 'Rosemary')
  await page.context().setOffline(true)
  await page.reload()
  await page.getByText('This is what you saw at').waitFor()
  await message(page, 'Rosemary').waitFor()
  await sends(page, 'Rue, for you')
  await page.locator('.outgoing').filter({ hasText: 'Rue, for you' }).waitFor()

  await server.cordelia.says('Pansies, for thoughts', { topic: 'herbs' })
  await page.context().setOffline(false)
  await message(page, 'Pansies').waitFor()
  await page.locator('article[id]').filter({ hasText: 'Rue, for you' }).waitFor()
  await page.getByText('This is what you saw at').waitFor({ state: 'detached' })
  assert.equal(await page.locator('article').filter({ hasText: 'Rosemary' }).count(), 1)
})

test('after signing out the browser has the files of the page, and nothing else', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  await server.cordelia.says('For your eyes', { topic: 'letters' })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', 'letters')
  await keeps(page, 'For your eyes')
  await page.getByRole('button', { name: /account of hamlet/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Password').waitFor()
  await until(page, `${kept}.then((all) => !all.includes('For your eyes') && !all.includes('realm_users'))`)
  const paths = (await page.evaluate(cachedPaths)) as string[]
  assert.ok(paths.length > 1)
  for (const path of paths) assert.match(path, /^\/($|web\/|favicon|icon|manifest)/)
  await page.context().setOffline(true)
  await page.reload()
  await page.getByText('The server cannot be reached').waitFor()
})

/** A server in front of another, at an address that stays, which can put something else in the place of the page. */
async function front(t: TestContext, url: string) {
  const state = { page: undefined as string | undefined }
  const proxy = createServer((incoming, outgoing) => {
    if (incoming.url === '/' && state.page !== undefined) {
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end(state.page)
      return
    }
    const { host: _, ...headers } = incoming.headers
    const passed = request(url + incoming.url, { method: incoming.method!, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      answer.pipe(outgoing)
    })
    passed.on('error', () => outgoing.destroy())
    incoming.pipe(passed)
  })
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.after(() => proxy.close().closeAllConnections())
  return { state, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
}

test('a newer page is shown at the next start, and what only the older one needed is dropped', { skip }, async (t) => {
  await clientBuilt()
  await using server = await testServer({ web: true })
  const { state, url } = await front(t, server.url)
  const page = await newPage(url)
  t.after(() => page.context().close())
  await signIn(page, server.hamlet)
  await until(page, 'navigator.serviceWorker.controller !== null')
  await until(page, `${cachedPaths}.then((paths) => paths.some((path) => path.endsWith('.js')))`)
  state.page = '<!doctype html><title>Newer</title><link rel="icon" href="/favicon.svg">'
  await page.reload()
  assert.equal(await page.title(), 'Newer')
  await until(page, `${cachedPaths}.then((paths) => paths.join() === '/favicon.svg,/')`)
})
