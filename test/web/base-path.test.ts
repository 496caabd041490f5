import assert from 'node:assert/strict'
import sharp from 'sharp'
import { type TestServer, testServer } from '../../src/testing/index.ts'
import { listening } from '../http/listening.ts'
import { newPage, problemsOf, signIn } from './browser.ts'
import { browserTest } from './browser-test.ts'
import { keptByBrowser, message, sends, until } from './gestures.ts'

async function upload({ url, cordelia }: TestServer, name: string): Promise<string> {
  const image = sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } }).png()
  const bytes = new Uint8Array(await image.toBuffer())
  const body = new FormData()
  body.set('filename', new File([bytes], name, { type: 'image/png' }))
  const headers = { authorization: cordelia.authorization }
  const answer = await fetch(`${url}/api/v1/user_uploads`, { method: 'POST', headers, body })
  return ((await answer.json()) as { url: string }).url
}

browserTest('works below a base path, requests nothing outside it, and works offline', async (t) => {
  await using server = await testServer({ web: true, basePath: '/team/chat' })
  const page = await newPage(server.url)
  t.after(() => page.context().close())
  const outside: string[] = []
  page.context().on('request', (request) => {
    const { protocol, pathname } = new URL(request.url())
    if (protocol === 'http:' && !pathname.startsWith('/team/chat')) outside.push(pathname)
  })
  await signIn(page, server.hamlet, server.url)
  assert.equal(new URL(page.url()).pathname, '/team/chat/')
  const cookies = await page.context().cookies()
  assert.deepEqual(
    cookies.map(({ name, path }) => [name, path]),
    [['chat_session', '/team/chat']],
  )

  const file = await upload(server, 'dot.png')
  await server.cordelia.says(`A dot: [dot.png](${file}) :tada: #**general**`, { topic: 'files' })
  const { stream_id } = await server.people.iago.api.get('/get_stream_id', { stream: 'general' })
  await page.goto(`${server.url}/#narrow/channel/${stream_id}/topic/files`)
  await message(page, 'A dot').waitFor()
  const pictures = `[...document.querySelectorAll('article img')].every((image) => image.complete && image.naturalWidth > 0)`
  await until(page, `document.querySelectorAll('article img').length >= 1 && ${pictures}`)
  // A link to a channel stays on the page.
  await message(page, 'A dot').getByRole('link', { name: '#general' }).click()
  await until(page, `location.hash.startsWith('#narrow/channel/${stream_id}')`)
  assert.equal(new URL(page.url()).pathname, '/team/chat/')
  await page.goto(`${server.url}/#narrow/channel/${stream_id}/topic/files`)
  await sends(page, 'Another dot.')
  await page.locator('article[id]').filter({ hasText: 'Another dot.' }).waitFor()

  await until(page, 'navigator.serviceWorker.controller !== null')
  assert.equal(
    await page.evaluate('navigator.serviceWorker.ready.then(({ scope }) => new URL(scope).pathname)'),
    '/team/chat/',
  )
  const kept = `caches.open('/team/chat/ web-client').then((cache) => cache.match('/team/chat/')).then((page) => page !== undefined)`
  await until(page, kept)
  const stored = keptByBrowser.replace(`'chat'`, `'/team/chat/ chat'`)
  await until(page, `${stored}.then((all) => all.includes('Another dot.'))`)
  await page.context().setOffline(true)
  await page.reload()
  await message(page, 'Another dot.').waitFor()
  await page.context().setOffline(false)
  assert.deepEqual(outside, [])
})

browserTest('keeps people signed in when another site embeds the client', async (t) => {
  // 127.0.0.1 and localhost are two sites. Browsers treat localhost as secure, so its cookies are like on HTTPS.
  let chat = ''
  await using intranet = await listening((_request, response) => {
    response.setHeader('content-type', 'text/html').end(`<iframe src="${chat}" width="1000" height="700"></iframe>`)
  })
  const frameAncestors = [intranet.url]
  await using server = await testServer({ web: { frameAncestors }, publicUrl: 'https://localhost' })
  chat = server.url.replace('127.0.0.1', 'localhost')
  const page = await newPage(intranet.url)
  t.after(() => page.context().close())
  await page.goto(intranet.url)
  const frame = page.frameLocator('iframe')
  await frame.getByLabel('Email').fill(server.hamlet.email)
  await frame.getByLabel('Password').fill(server.hamlet.password)
  await frame.getByRole('button', { name: 'Sign in' }).click()
  await frame.locator('.shell').waitFor()
  await page.reload()
  await frame.locator('.shell').waitFor()
  await frame.getByRole('link', { name: 'general' }).first().click()
  await frame.getByRole('textbox', { name: 'Message' }).waitFor()
  const [cookie] = await page.context().cookies(chat)
  assert.deepEqual([cookie!.name, cookie!.sameSite, cookie!.secure], ['__Host-chat_session_framed', 'None', true])
  assert.equal(cookie!.partitionKey, 'http://127.0.0.1')

  // Another origin may not.
  const other = await newPage(intranet.url.replace('127.0.0.1', 'localhost'))
  t.after(() => other.context().close())
  await other.goto('/')
  await until(other, 'document.readyState === "complete"')
  assert.match(problemsOf.get(other)!.join(), /frame-ancestors/)
})
