import assert from 'node:assert/strict'
import { createServer, type IncomingMessage, request, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { pipeline } from 'node:stream'
import type { TestContext } from 'node:test'
import type { Page } from 'playwright-core'
import { type TestServer, testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { newPage, signIn, visit } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { keptByBrowser, message, openTopic, sends, settles, until, writes } from './gestures.ts'

/** Counts the messages that are drawn when the page asks for the state. */
const drawnBeforeState = `{
  const ask = fetch
  window.fetch = (path, init) => {
    if (String(path).endsWith('/register')) window.drawnBeforeState ??= document.querySelectorAll('article').length
    return ask(path, init)
  }
}`
/** The files with a hash that this page has loaded. */
const loadedPaths = `performance.getEntriesByType('resource').map(({ name }) => new URL(name).pathname).filter((path) => path.startsWith('/web/'))`
const cachedPaths = `caches.open('web-client').then((cache) => cache.keys()).then((all) => all.map(({ url }) => new URL(url).pathname))`

/** Waits until the browser has kept the page, the state and a message. */
async function keeps(page: Page, text: string): Promise<void> {
  await until(page, 'navigator.serviceWorker.controller !== null')
  await until(
    page,
    `${keptByBrowser}.then((all) => all.includes('realm_users') && all.includes(${JSON.stringify(text)}))`,
  )
  await until(page, `${cachedPaths}.then((paths) => paths.includes('/'))`)
}

/** The window of somebody with an open topic, in which the browser has kept a message. */
async function windowThatKeeps(t: TestContext, server: TestServer, topic: string, text: string): Promise<Page> {
  await server.cordelia.says(text, { topic })
  const page = await visit(t, server.url, server.hamlet)
  await openTopic(page, server, 'general', topic)
  await keeps(page, text)
  return page
}

browserTest('shows the last view with a notice while offline and resumes when online', async (t) => {
  await using server = await testServer({ web: true })
  const page = await windowThatKeeps(t, server, 'herbs', 'Rosemary, for remembrance')
  await page.context().setOffline(true)
  await page.reload()
  await page.getByText('Showing what you last saw at').waitFor()
  await message(page, 'Rosemary').waitFor()
  await sends(page, 'Rue, for you')
  await page.locator('.outgoing').filter({ hasText: 'Rue, for you' }).waitFor()

  await server.cordelia.says('Pansies, for thoughts', { topic: 'herbs' })
  await page.context().setOffline(false)
  await message(page, 'Pansies').waitFor()
  await page.locator('article[id]').filter({ hasText: 'Rue, for you' }).waitFor()
  await page.getByText('Showing what you last saw at').waitFor({ state: 'detached' })
  assert.equal(await page.locator('article').filter({ hasText: 'Rosemary' }).count(), 1)
})

browserTest('text started offline survives a reload and becomes a draft', async (t) => {
  await using server = await testServer({ web: true })
  const page = await windowThatKeeps(t, server, 'storm', 'Blow, winds')
  const drafts = async () => (await server.people.hamlet.api.get('/drafts')).drafts
  await writes(page, 'Begun')
  // What is gone on with is this very draft, also in a page that begins without a connection.
  await eventually('a draft is saved', async () => (await drafts()).length > 0)
  await until(page, `Object.keys(localStorage).every((name) => !name.startsWith('text '))`)
  await page.context().setOffline(true)
  await writes(page, 'Begun, and gone on')
  await page.reload()
  await until(page, `document.querySelector('#compose-text')?.value === 'Begun, and gone on'`)
  await page.context().setOffline(false)
  await until(page, `Object.keys(localStorage).every((name) => !name.startsWith('text '))`)
  const contents = async () => (await drafts()).map(({ content }: { content: string }) => content)
  assert.deepEqual(await contents(), ['Begun, and gone on'])
  // Deleted elsewhere while somebody writes on, it is made again.
  const [{ id }] = await drafts()
  await page.route(
    '**/json/drafts/*',
    async (route) => {
      await server.people.hamlet.api.delete(`/drafts/${id}`)
      await route.continue()
    },
    { times: 1 },
  )
  await writes(page, 'Begun, gone on, and on')
  await eventually('it is a draft again', async () => (await contents())[0] === 'Begun, gone on, and on')
})

browserTest("signing out leaves only the page's files in the browser", async (t) => {
  await using server = await testServer({ web: true })
  const page = await windowThatKeeps(t, server, 'letters', 'For your eyes')
  await page.getByRole('button', { name: /account of hamlet/ }).click()
  await page.getByRole('menuitem', { name: 'Sign out' }).click()
  await page.getByLabel('Password').waitFor()
  await until(page, `${keptByBrowser}.then((all) => !all.includes('For your eyes') && !all.includes('realm_users'))`)
  assert.doesNotMatch(String(await page.evaluate('JSON.stringify(localStorage)')), /For your eyes|realm_users/)
  const paths = (await page.evaluate(cachedPaths)) as string[]
  assert.ok(paths.length > 1)
  for (const path of paths) assert.match(path, /^\/($|web\/|favicon|icon|manifest)/)
  await page.context().setOffline(true)
  await page.reload()
  await page.getByText("Can't reach the server").waitFor()
})

/** A server in front of another, at an address that stays, which can put something else in the place of the page, and wait. */
async function front(t: TestContext, url: string) {
  const state = {
    page: undefined as string | undefined,
    answers: Promise.resolve(),
    withoutParts: false,
    isDown: false,
    /** Files with a hash that are being asked for, and the ones that were sent. */
    asked: 0,
    sent: new Set<string>(),
  }
  const proxy = createServer((incoming, outgoing) => {
    const isReady = incoming.url?.startsWith('/json/') ? state.answers : Promise.resolve()
    void isReady.then(() => pass(incoming, outgoing))
  })
  function pass(incoming: IncomingMessage, outgoing: ServerResponse): void {
    if (state.isDown) return void outgoing.destroy()
    if (incoming.url === '/' && state.page !== undefined) {
      outgoing.writeHead(200, { 'content-type': 'text/html' }).end(state.page)
      return
    }
    if (state.withoutParts && /^\/web\/.*\.js$/.test(incoming.url!)) {
      outgoing.writeHead(404).end()
      return
    }
    const path = incoming.url!
    if (path.startsWith('/web/')) {
      state.asked++
      outgoing.on('finish', () => outgoing.statusCode === 200 && state.sent.add(path))
      outgoing.on('close', () => state.asked--)
    }
    const { host: _, ...headers } = incoming.headers
    const passed = request(url + incoming.url, { method: incoming.method!, headers }, (answer) => {
      outgoing.writeHead(answer.statusCode!, answer.headers)
      // Either side may end first: the page cancels a request, or the server stops.
      pipeline(answer, outgoing, () => {})
    })
    passed.on('error', () => outgoing.destroy())
    outgoing.on('close', () => passed.destroy())
    incoming.pipe(passed)
  }
  await new Promise<void>((resolve) => proxy.listen(0, '127.0.0.1', resolve))
  t.after(() => proxy.close().closeAllConnections())
  const cut = () => {
    state.isDown = true
    proxy.closeAllConnections()
  }
  return { state, cut, url: `http://127.0.0.1:${(proxy.address() as AddressInfo).port}` }
}

browserTest('stores files that loaded before the worker, also if it begins before the first view', async (t) => {
  await using server = await testServer({ web: true })
  const { state, url } = await front(t, server.url)
  const page = await visit(t, url, server.hamlet, { locale: 'de-DE' })
  await until(page, 'navigator.serviceWorker.controller !== null')
  await page.goto('/favicon.svg')
  await page.evaluate(`Promise.all([
    navigator.serviceWorker.getRegistrations().then((all) => Promise.all(all.map((worker) => worker.unregister()))),
    caches.delete('web-client'),
    localStorage.clear(),
  ])`)
  let answer = () => {}
  state.answers = new Promise((resolve) => {
    answer = resolve
  })
  await page.goto('/')
  const german = `${loadedPaths}.find((path) => path.includes('/de'))`
  await until(page, german)
  // The worker of an earlier visit that was still being installed.
  await page.evaluate(`navigator.serviceWorker.register('service-worker.js')`)
  await until(page, 'navigator.serviceWorker.controller !== null')
  answer()
  await until(page, `${cachedPaths}.then((paths) => ${loadedPaths}.every((path) => paths.includes(path)))`)
})

browserTest('the worker also takes over a page that began without it', async (t) => {
  await using server = await testServer({ web: true })
  const page = await windowThatKeeps(t, server, 'herbs', 'Rosemary, for remembrance')
  const session = await page.context().newCDPSession(page)
  // As when the page begins to load while the worker is activated.
  await session.send('Page.reload', { ignoreCache: true })
  await until(
    page,
    `performance.getEntriesByType('navigation').every(({ type, workerStart }) => type === 'reload' && workerStart === 0)`,
  )
  await until(page, 'navigator.serviceWorker.controller !== null')
})

browserTest('shows a newer page on the next start and drops unused files', async (t) => {
  await using server = await testServer({ web: true })
  const { state, url } = await front(t, server.url)
  const page = await visit(t, url, server.hamlet)
  await until(page, 'navigator.serviceWorker.controller !== null')
  // A file that the worker stores after the newer page would stay until the next one, so the page is left, and its files arrive.
  await settles(page, server)
  await until(page, `${cachedPaths}.then((paths) => ${loadedPaths}.every((path) => paths.includes(path)))`)
  state.sent.clear()
  await page.goto('/api/v1/server_settings')
  await eventually('all files are stored', async () => {
    const paths = (await page.evaluate(cachedPaths)) as string[]
    return state.asked === 0 && [...state.sent].every((path) => paths.includes(path))
  })
  state.page = '<!doctype html><title>Newer</title><link rel="icon" href="/favicon.svg">'
  await page.goto('/')
  assert.equal(await page.title(), 'Newer')
  await until(page, `${cachedPaths}.then((paths) => paths.join() === '/favicon.svg,/')`)
})

browserTest('shows the previous view with unread counts before the server answers', async (t) => {
  await using server = await testServer({ web: true })
  const { state, url } = await front(t, server.url)
  await server.hamlet.api.patch('/settings', { web_mark_read_on_scroll_policy: 3 })
  await server.cordelia.says('Columbines', { topic: 'herbs' })
  const page = await visit(t, url, server.hamlet)
  await page.goto('/#narrow')
  await message(page, 'Columbines').waitFor()
  await until(page, "localStorage.getItem('screen')?.includes('Columbines') === true")
  let answer = () => {}
  state.answers = new Promise((resolve) => {
    answer = resolve
  })
  await page.addInitScript(drawnBeforeState)
  await page.reload()
  await message(page, 'Columbines').waitFor()
  await page.locator('.left-sidebar').getByRole('link', { name: 'general' }).waitFor()
  await server.cordelia.says('Fennel, for you', { topic: 'herbs' })
  answer()
  await message(page, 'Fennel').waitFor()
  assert.equal(await page.locator('article').filter({ hasText: 'Columbines' }).count(), 1)
  await until(page, `document.querySelectorAll('.unread-line').length === 1`)
  // The state is large: it is asked for when the messages are drawn.
  assert.ok(Number(await page.evaluate('window.drawnBeforeState')) > 0)
})

browserTest('fetches missed messages once and before the state', async (t) => {
  await using server = await testServer({ web: true })
  await server.cordelia.says('Columbines', { topic: 'herbs' })
  const page = await visit(t, server.url, server.hamlet)
  await page.goto('/#narrow')
  await page.getByText('Columbines').waitFor()
  await until(page, `localStorage.getItem('screen')?.includes('Columbines') === true`)
  await server.cordelia.says('Rosemary', { topic: 'herbs' })
  const asked: string[] = []
  page.on('request', (request) => asked.push(new URL(request.url()).pathname))
  await page.reload()
  await page.locator('article', { hasText: 'Rosemary' }).waitFor()
  await eventually('the state is asked for', () => asked.includes('/json/register'))
  const before = asked.slice(0, asked.indexOf('/json/register'))
  assert.equal(before.filter((path) => path === '/json/messages').length, 1)
})

browserTest('a link with the name of a channel that is not on the cached screen opens it', async (t) => {
  const members = ['hamlet'] as const
  const many = Array.from({ length: 40 }, (_, i) => [`channel ${String(i).padStart(2, '0')}`, { members }] as const)
  await using server = await testServer({ web: true, streams: Object.fromEntries(many) })
  await server.hamlet.says('Far down', { stream: 'channel 39', topic: 'list' })
  await server.hamlet.api.post('/mark_all_as_read')
  const page = await visit(t, server.url, server.hamlet)
  await until(page, `localStorage.getItem('screen') !== null`)
  assert.equal(await page.evaluate(`localStorage.getItem('screen').includes('channel 39')`), false)
  await page.goto('/#narrow/channel/channel-39/topic/list')
  await page.reload()
  await message(page, 'Far down').waitFor()
  await page.getByRole('textbox', { name: 'Message' }).waitFor()
})

browserTest('the first frame names the people in the list of conversations', async (t) => {
  await using server = await testServer({ web: true })
  const { hamlet, cordelia, iago } = server.people
  await cordelia.says('Hello', { people: [hamlet, iago] })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  await page.addInitScript(`{
    window.unnamed = []
    const look = () => {
      for (const { textContent } of document.querySelectorAll('.left-sidebar .name'))
        if (textContent.includes('…')) window.unnamed.push(textContent)
      requestAnimationFrame(look)
    }
    look()
  }`)
  await signIn(page, hamlet)
  await page.locator('.left-sidebar').getByRole('link', { name: 'cordelia' }).waitFor()
  await settles(page, server)
  assert.deepEqual(await page.evaluate('window.unnamed'), [])
})

browserTest('ignores an incomplete cached screen', async (t) => {
  await using server = await testServer({ web: true })
  const page = await visit(t, server.url, server.hamlet)
  await page.goto('/favicon.svg')
  await page.evaluate(`localStorage.setItem('screen', '{"version":')`)
  await page.goto('/')
  await page.locator('.shell').waitFor()
})

browserTest('reloads when the server no longer has its scripts, or explains', async (t) => {
  await using server = await testServer({ web: true })
  const { state, url } = await front(t, server.url)
  const page = await visit(t, url, server.hamlet)
  await until(page, 'navigator.serviceWorker.controller !== null')
  state.withoutParts = true
  await page.goto('/#settings/display')
  await page.getByText("This part of the page couldn't be loaded").waitFor()
  state.page = '<!doctype html><title>Newer</title><link rel="icon" href="/favicon.svg">'
  await page.getByRole('button', { name: /account of hamlet/ }).click()
  const loaded = page.waitForEvent('load')
  await page.getByRole('menuitem', { name: 'Set a status' }).click()
  await loaded
  assert.equal(await page.title(), 'Newer')
})

browserTest("a poll that needs a newer page doesn't interrupt a writer", async (t) => {
  await using server = await testServer({ web: true })
  const { state, url } = await front(t, server.url)
  const page = await visit(t, url, server.hamlet)
  await openTopic(page, server, 'general', 'lunch')
  await writes(page, 'I would say')
  state.withoutParts = true
  state.page = '<!doctype html><title>Newer</title><link rel="icon" href="/favicon.svg">'
  await server.cordelia.says('/poll Where?\nInn\nGarden', { topic: 'lunch' })
  const offer = page.getByRole('button', { name: 'Reload' })
  await offer.waitFor()
  assert.equal(await page.getByRole('textbox', { name: 'Message' }).inputValue(), 'I would say')
  const loaded = page.waitForEvent('load')
  await offer.click()
  await loaded
  assert.equal(await page.title(), 'Newer')
})

browserTest('loads a missing script once online', async (t) => {
  await using server = await testServer({ web: true })
  // The driver's own way takes page and worker offline, and back, one after the other.
  const { state, cut, url } = await front(t, server.url)
  const page = await visit(t, url, server.hamlet)
  await settles(page, server)
  cut()
  await page.getByText("You're offline").waitFor()
  await page.evaluate(`location.hash = '#settings/display'`)
  await page.getByText("This part of the page couldn't be loaded").waitFor()
  state.isDown = false
  await page.evaluate(`dispatchEvent(new Event('online'))`)
  await page.getByRole('heading', { name: 'Display' }).waitFor()
})
