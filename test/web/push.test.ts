import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { TestContext } from 'node:test'
import { webPushOf } from '../../src/core/messages/send/message-workers.ts'
import { testServer } from '../../src/testing/index.ts'
import { eventually } from '../eventually.ts'
import { subscribedBrowser } from '../push/browser.ts'
import { newPage, signIn, wholeBrowserPath } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { until } from './gestures.ts'

/** A push service on this machine, and what it was sent. */
async function localService() {
  const bodies: Buffer[] = []
  const service = createServer((request, response) => {
    const chunks: Buffer[] = []
    request.on('data', (chunk) => chunks.push(chunk))
    request.on('end', () => {
      bodies.push(Buffer.concat(chunks))
      response.writeHead(201).end()
    })
  })
  await new Promise<void>((resolve) => service.listen(0, '127.0.0.1', resolve))
  return {
    bodies,
    url: `http://127.0.0.1:${(service.address() as AddressInfo).port}/ann`,
    close: () => service.close(),
  }
}

/** The browser's own push service is elsewhere; this stands in its place on the page. */
const standIn = (subscription: object) => `{
  let current = null
  const made = ${JSON.stringify(subscription)}
  const { endpoint, p256dh, auth } = made
  PushManager.prototype.getSubscription = async () => current
  PushManager.prototype.subscribe = async (options) => {
    window.subscribedWith = options.applicationServerKey
    return (current = { endpoint, toJSON: () => ({ endpoint, keys: { p256dh, auth } }), unsubscribe: async () => { current = null; return true } })
  }
}`
/**
 * Clicks on the note there is, inside the worker. The browser lets pages come to the front only after a click of a person, so
 * what it would do is noted in its place.
 */
const click = `(async () => {
  if (!self.done) {
    self.done = []
    WindowClient.prototype.focus = async function () { done.push('focus') }
    Clients.prototype.openWindow = async (address) => void done.push('open ' + address)
  }
  const [notification] = await registration.getNotifications()
  const work = []
  const event = new NotificationEvent('notificationclick', { notification })
  event.waitUntil = (promise) => work.push(promise)
  dispatchEvent(event)
  await Promise.all(work)
})()`
const shown = `navigator.serviceWorker.ready.then((registration) => registration.getNotifications()).then((all) =>
  all.map(({ title, body, data }) => ({ title, body, data })))`

async function isNotified(t: TestContext): Promise<void> {
  const service = await localService()
  t.after(service.close)
  await using server = await testServer({ web: true, outgoing: { allowPrivate: true } })
  const { hamlet, cordelia, iago } = server.people
  const browser = subscribedBrowser(service.url)
  const page = await newPage(server.url, { path: wholeBrowserPath()! })
  const context = page.context()
  t.after(() => context.close())
  await context.grantPermissions(['notifications'])
  await context.addInitScript(standIn(browser.subscription))
  await signIn(page, hamlet)
  await until(page, 'navigator.serviceWorker.controller !== null')
  await page.goto('/#settings/notifications')
  const field = page.getByRole('checkbox', { name: /Push notifications in this browser/ })
  await field.check()
  await page.getByText('Saved').waitFor()
  const { server_key, subscriptions } = await hamlet.api.get('/users/me/web_push_subscriptions')
  assert.deepEqual([subscriptions.length, subscriptions[0].endpoint], [1, service.url])
  assert.equal(await page.evaluate('subscribedWith'), server_key)

  // The page is elsewhere, as far as the server knows.
  const isReported = () =>
    server.requests.some(({ path, status }) => path.endsWith('/users/me/presence') && status === 200)
  await eventually('presence is reported', isReported)
  server.clock.advance(300_000)
  const { id } = await cordelia.says('Are you there?', { people: [hamlet] })
  await webPushOf(server.chat).settled()
  assert.equal(service.bodies.length, 1)
  const notice = browser.decrypt(service.bodies[0]!)
  assert.deepEqual(notice, {
    title: 'cordelia',
    body: 'Are you there?',
    tag: String(id),
    address: `/#narrow/dm/${cordelia.id}/near/${id}`,
  })

  // The browser passes it to the worker, which shows it while nobody looks at the page.
  const other = await context.newPage()
  // A file of the server in a window of its own is not the page.
  await other.goto(`${server.url}/favicon.svg`)
  const devtools = await context.newCDPSession(page)
  // The driver has every page believe that it has the focus.
  await devtools.send('Emulation.setFocusEmulationEnabled', { enabled: false })
  await until(page, '!document.hasFocus()')
  const registered = new Promise<string>((resolve) => {
    devtools.on('ServiceWorker.workerRegistrationUpdated', ({ registrations }) => {
      if (registrations[0]) resolve(registrations[0].registrationId)
    })
  })
  await devtools.send('ServiceWorker.enable')
  const registrationId = await registered
  const data = JSON.stringify(notice)
  await devtools.send('ServiceWorker.deliverPushMessage', { origin: server.url, registrationId, data })
  await until(page, `${shown}.then((all) => all.length === 1)`)
  const address = `/#narrow/dm/${cordelia.id}/near/${id}`
  assert.deepEqual(await page.evaluate(shown), [
    { title: 'cordelia', body: 'Are you there?', data: { id, address, count: 1 } },
  ])
  // The page brings the same message, and the next one of the conversation: one note, of the newest.
  const again = await cordelia.says('Hello?', { people: [hamlet] })
  await until(page, `${shown}.then(([note]) => note.title === 'cordelia · 2')`)
  const next = { id: again.id, address: `/#narrow/dm/${cordelia.id}/near/${again.id}`, count: 2 }
  assert.deepEqual(await page.evaluate(shown), [{ title: 'cordelia · 2', body: 'Hello?', data: next }])
  // The first one once more, as of another tab that is behind: it is counted already.
  await devtools.send('ServiceWorker.deliverPushMessage', { origin: server.url, registrationId, data })
  const third = await cordelia.says('Hello!', { people: [hamlet] })
  await until(page, `${shown}.then(([note]) => note.data.count > 2 && note.data.id >= ${third.id})`)
  const newest = { id: third.id, address: `/#narrow/dm/${cordelia.id}/near/${third.id}`, count: 3 }
  assert.deepEqual(await page.evaluate(shown), [{ title: 'cordelia · 3', body: 'Hello!', data: newest }])
  // A message that was read on another device has no notification.
  await hamlet.api.post('/messages/flags', { messages: [third.id], op: 'add', flag: 'read' })
  await until(page, `${shown}.then((notes) => notes.length === 0)`)
  // A click on a note: the page there is goes to the message and comes to the front; the note is gone. It is one of another
  // conversation: the browser, which is still closing the last one, may close a new one of the same name with it.
  const lunch = await iago.says('Lunch?', { people: [hamlet] })
  await until(page, `${shown}.then((all) => all.length === 1)`)
  const [worker] = context.serviceWorkers()
  await worker!.evaluate(click)
  await page.locator(`#message-${lunch.id}`).waitFor()
  assert.match(page.url(), new RegExp(`#narrow/dm/${iago.id}/near/${lunch.id}$`))
  assert.deepEqual(await worker!.evaluate('done'), ['focus'])
  assert.deepEqual(await page.evaluate(shown), [])

  await page.goto('/#settings/notifications')
  await eventually('the page knows that they are on', () => field.isChecked())
  await field.uncheck()
  await until(
    page,
    `fetch('/json/users/me/web_push_subscriptions').then((answer) => answer.json()).then((answer) => answer.subscriptions.length === 0)`,
  )

  // Without an open page, a new page opens there.
  await page.close()
  await worker!.evaluate(
    `registration.showNotification('cordelia', { data: { address: ${JSON.stringify(notice.address)} } })`,
  )
  await worker!.evaluate(click)
  assert.deepEqual(await worker!.evaluate('done'), ['focus', `open /#narrow/dm/${cordelia.id}/near/${id}`])
}

browserTest('push notifies an unattended browser and opens the message', isNotified, wholeBrowserPath())
