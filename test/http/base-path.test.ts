// biome-ignore-all lint/suspicious/noExplicitAny: answers are compared as they come.
import assert from 'node:assert/strict'
import test from 'node:test'
import express from 'express'
import sharp from 'sharp'
import { createApp, nodeListener } from '../../src/http/index.ts'
import { actAs, contextOf, createInviteLink, openChat, sendMessage } from '../../src/index.ts'
import { testServer, world } from '../../src/testing/index.ts'
import { listening } from './listening.ts'

const own = { 'x-requested-with': 'test' }
const webFiles = { names: ['index.html', 'manifest.webmanifest'], read: (name: string) => Buffer.from(name) }

const picture = async () =>
  new Uint8Array(
    await sharp({ create: { width: 30, height: 20, channels: 3, background: 'red' } })
      .png()
      .toBuffer(),
  )

/** An app below /chat, and what asks it. */
async function below(options: Partial<Parameters<typeof createApp>[0]> = {}) {
  const w = await world({ streams: { denmark: { members: ['hamlet', 'iago'] } } })
  const app = createApp({ chat: w.chat, basePath: '/chat', web: true, webFiles, ...options })
  const ask = (path: string, init: RequestInit = {}) => app.fetch(new Request(`http://localhost${path}`, init))
  const { hamlet } = w.people
  const asHamlet = async (method: string, path: string, params?: Record<string, string>) => {
    const body = params && new URLSearchParams(params)
    const headers = { authorization: hamlet.authorization }
    return (await ask(`/chat/api/v1${path}`, { method, headers, ...(body && { body }) })).json() as Promise<any>
  }
  const upload = async (name: string, bytes: Uint8Array<ArrayBuffer>, type: string) => {
    const body = new FormData()
    body.set('filename', new File([bytes], name, { type }))
    const headers = { authorization: hamlet.authorization }
    return (await (await ask('/chat/api/v1/user_uploads', { method: 'POST', headers, body })).json()) as any
  }
  return { ...w, app, ask, asHamlet, upload, [Symbol.asyncDispose]: () => w.chat.close() }
}

test('serves the page, files and API below the base path and JSON 404s elsewhere', async () => {
  await using s = await below()
  for (const path of [
    '/chat/',
    '/chat/manifest.webmanifest',
    '/chat/api/v1/server_settings',
    '/chat/static/organization/icon.png',
  ]) {
    assert.equal((await s.ask(path)).status, 200, path)
  }
  for (const path of ['/', '/api/v1/server_settings', '/manifest.webmanifest', '/chatter/', '/chat/chat/', '/join']) {
    const response = await s.ask(path)
    assert.deepEqual([response.status, ((await response.json()) as any).code], [404, 'NOT_FOUND'], path)
  }
})

test('redirects the base path without a slash to the page', async () => {
  await using s = await below()
  const response = await s.ask('/chat')
  assert.deepEqual([response.status, response.headers.get('location')], [302, '/chat/'])
})

test('answers health checks below the base path and at the root', async () => {
  await using s = await below()
  for (const path of ['/health', '/health/ready', '/chat/health', '/chat/health/ready']) {
    assert.equal((await s.ask(path)).status, 200, path)
  }
})

test('takes the base path from the public URL', async () => {
  await using chat = await openChat({ publicUrl: 'https://example.com/team/chat', passwordCost: 2 })
  const app = createApp({ chat })
  assert.equal(app.basePath, '/team/chat')
  const settings = await app.fetch(new Request('http://localhost/team/chat/api/v1/server_settings'))
  assert.equal(((await settings.json()) as any).realm_url, 'https://example.com/team/chat')
})

test('rejects invalid base paths', async () => {
  await using w = await world()
  for (const basePath of ['chat', '/a b', '/:x', '/**', '//host', '/a/../b', '/a//b', '/ü']) {
    assert.throws(() => createApp({ chat: w.chat, basePath }), /is not a valid base path/, basePath)
  }
  const contradiction = { chat: w.chat, basePath: '/a', publicUrl: 'https://example.com/b' }
  assert.throws(() => createApp(contradiction), /basePath is \/a, but the public URL is https:\/\/example\.com\/b/)
})

test('rejects a second base path for the same chat', async () => {
  await using s = await below()
  assert.throws(() => createApp({ chat: s.chat, basePath: '/other' }), /already served below \/chat/)
  assert.equal(createApp({ chat: s.chat }).basePath, '/chat')
})

test('includes the base path in every URL', async () => {
  await using s = await below()
  const { url } = await s.upload('note.txt', Buffer.from('Hello'), 'text/plain')
  assert.match(url, /^\/chat\/user_uploads\/1\//)
  const settings = (await (await s.ask('/chat/api/v1/server_settings')).json()) as any
  assert.equal(settings.realm_url, 'http://localhost/chat')
  assert.equal(settings.realm_uri, 'http://localhost/chat')
  assert.equal(settings.realm_icon, '/chat/static/organization/icon.png')
  const state = await s.asHamlet('POST', '/register', { client_gravatar: 'false' })
  assert.equal(state.realm_url, 'http://localhost/chat')
  assert.equal(state.server_emoji_data_url, 'http://localhost/chat/static/emoji.json')
  assert.equal(state.realm_icon_url, '/chat/static/organization/icon.png')
  const file = await s.asHamlet('GET', url.slice('/chat'.length))
  assert.match(file.url, /^\/chat\/user_uploads\/temporary\//)
  assert.equal(await (await s.ask(file.url)).text(), 'Hello')
  const { authorization } = s.people.hamlet
  const body = new FormData()
  body.set('filename', new File([await picture()], 'a.png', { type: 'image/png' }))
  await s.ask('/chat/api/v1/users/me/avatar', { method: 'POST', headers: { authorization }, body })
  const avatar = await s.ask(`/chat/avatar/${s.people.hamlet.id}`, { headers: { authorization } })
  assert.match(avatar.headers.get('location')!, /^\/chat\//)
  assert.equal((await s.ask(avatar.headers.get('location')!)).status, 200)
  const document = (await (await s.ask('/chat/api/v1/openapi.json')).json()) as any
  assert.deepEqual(document.servers, [{ url: '/chat' }])
})

test('invitation and password links stay below the base path and lead back to the page', async () => {
  await using s = await below()
  const iago = { authorization: s.people.iago.authorization }
  const body = new URLSearchParams({ invitee_emails: 'new@example.com', stream_ids: '[]' })
  const sent = (await (await s.ask('/chat/api/v1/invites', { method: 'POST', headers: iago, body })).json()) as any
  const { link_url } = sent.invitations[0]
  assert.match(link_url, /^http:\/\/localhost\/chat\/join\?token=/)
  const page = await (await s.ask(link_url.slice('http://localhost'.length))).text()
  assert.match(page, /<form method="post">/)
  assert.match(await (await s.ask('/chat/password?token=wrong')).text(), /<a href="\/chat\/">Sign in<\/a>/)
})

test('stores links without the base path and shows them with it', async () => {
  await using s = await below()
  const { url } = await s.upload('dot.png', await picture(), 'image/png')
  const content = `[dot](${url}) [again](http://localhost${url}) #**denmark** :zulip: \`="/static/x"\` ="/static/y`
  const { id } = await s.asHamlet('POST', '/messages', { type: 'stream', to: 'denmark', topic: 'files', content })
  const { message } = await s.asHamlet('GET', `/messages/${id}`)
  assert.ok(message.content.includes(`href="${url}"`), message.content)
  assert.doesNotMatch(message.content, /(?:src|href)="\/(?!chat\/|#)/)
  assert.match(message.content, /href="\/chat\/#narrow\/channel\//)
  assert.match(message.content, /src="\/chat\/static\/generated\/emoji/)
  assert.match(
    message.content,
    /<div class="message_inline_image"><a href="\/chat\/user_uploads\/[^>]*><img [^>]*src="\/chat\//,
  )
  assert.match(message.content, /<code>="\/static\/x"<\/code> ="\/static\/y/)
  const raw = await s.asHamlet('GET', `/messages/${id}?apply_markdown=false`)
  assert.equal(raw.message.content, content)
  const { rendered } = await s.asHamlet('POST', '/messages/render', { content })
  assert.ok(rendered.includes(`href="${url}"`))
  // It is one of the message's files, under whatever path.
  const { attachments } = await s.asHamlet('GET', '/attachments')
  assert.deepEqual(attachments[0].message_ids, [id])
  const row = await contextOf(s.chat)
    .db.selectFrom('message')
    .select('rendered_content')
    .where('id', '=', id)
    .executeTakeFirst()
  assert.doesNotMatch(row!.rendered_content.replace(/<code>.*?<\/code>/, ''), /\/chat\//)
})

test('events contain the same HTML as fetched messages', async () => {
  await using s = await below()
  const { url } = await s.upload('dot.png', await picture(), 'image/png')
  const { queue_id } = await s.asHamlet('POST', '/register', {
    apply_markdown: 'true',
    event_types: '["message","update_message"]',
  })
  const content = `[dot](${url}) #**denmark**`
  const { id } = await s.asHamlet('POST', '/messages', { type: 'stream', to: 'denmark', topic: 'files', content })
  const first = await s.asHamlet('GET', `/messages/${id}`)
  await s.asHamlet('PATCH', `/messages/${id}`, { content: `${content} and more` })
  const second = await s.asHamlet('GET', `/messages/${id}`)
  const { events } = await s.asHamlet('GET', `/events?queue_id=${queue_id}&last_event_id=-1&dont_block=true`)
  const [sent, ...edits] = events
  assert.equal(sent.message.content, first.message.content)
  assert.match(sent.message.avatar_url ?? '/chat/', /^\/chat\//)
  assert.equal(edits.at(-1).rendered_content, second.message.content)
  const { message_history } = await s.asHamlet('GET', `/messages/${id}/history`)
  assert.equal(message_history[0].rendered_content.includes(`href="${url}"`), true)
})

test('resumable uploads continue at a URL below the base path', async () => {
  await using s = await below()
  const headers = { authorization: s.people.hamlet.authorization, 'tus-resumable': '1.0.0' }
  const begun = await s.ask('/chat/api/v1/tus', { method: 'POST', headers: { ...headers, 'upload-length': '5' } })
  const location = begun.headers.get('location')!
  assert.match(location, /^\/chat\/api\/v1\/tus\//)
  assert.equal((await s.ask(location, { method: 'HEAD', headers })).headers.get('upload-offset'), '0')
})

test('scopes the session cookie to the base path', async () => {
  await using s = await below()
  const { email: username, password } = s.people.hamlet
  const begin = (url: string) =>
    s.app.fetch(new Request(url, { method: 'POST', headers: own, body: new URLSearchParams({ username, password }) }))
  const cookie = (await begin('http://localhost/chat/json/session')).headers.get('set-cookie')!
  assert.match(cookie, /^chat_session=\w{32}; Max-Age=\d+; Path=\/chat; HttpOnly; SameSite=Lax$/)
  const sent = { cookie: cookie.split(';')[0]! }
  assert.equal((await s.ask('/chat/json/users/me', { headers: sent })).status, 200)
  // The API itself takes no cookies, below a base path either.
  assert.equal((await s.ask('/chat/api/v1/users/me', { headers: sent })).status, 401)
  const change = { method: 'POST', body: new URLSearchParams({ content: 'x' }) }
  assert.equal((await s.ask('/chat/json/messages/render', { ...change, headers: sent })).status, 400)
  assert.equal((await s.ask('/chat/json/messages/render', { ...change, headers: { ...sent, ...own } })).status, 200)
  // A browser whose session has ended loses the cookie.
  const ended = await s.ask('/chat/json/users/me', { headers: { cookie: `chat_session=${'a'.repeat(32)}` } })
  assert.match(ended.headers.get('set-cookie')!, /^chat_session=; Max-Age=0; Path=\/chat;/)
  assert.equal(ended.headers.get('www-authenticate'), 'Session realm="zulip"')
  const secure = (await begin('https://localhost/chat/json/session')).headers.get('set-cookie')!
  assert.match(secure, /^__Secure-chat_session=\w{32}; Max-Age=\d+; Path=\/chat; HttpOnly; SameSite=Lax; Secure$/)
})

test('with frameAncestors, uses a separate partitioned cookie over HTTPS', async () => {
  await using w = await world()
  const app = createApp({ chat: w.chat, web: { frameAncestors: ['https://intranet.example'] }, webFiles })
  const { email: username, password } = w.people.hamlet
  const begin = async (url: string) => {
    const body = new URLSearchParams({ username, password })
    return (await app.fetch(new Request(`${url}/json/session`, { method: 'POST', headers: own, body }))).headers.get(
      'set-cookie',
    )!
  }
  const framed = await begin('https://chat.example')
  assert.match(
    framed,
    /^__Host-chat_session_framed=\w{32}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=None; Secure; Partitioned$/,
  )
  assert.match(await begin('http://localhost'), /^chat_session=\w{32}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/)
  const ask = (cookie: string, headers = {}) =>
    app.fetch(new Request('https://chat.example/json/session', { method: 'DELETE', headers: { cookie, ...headers } }))
  const sent = framed.split(';')[0]!
  // The cookie is sent across sites now, so only the header shows that a request is from the page itself.
  assert.equal((await ask(sent)).status, 400)
  const ended = await ask(sent, own)
  assert.match(ended.headers.get('set-cookie')!, /^__Host-chat_session_framed=; Max-Age=0; .*; Partitioned$/)
})

test('answers below the path at which Express mounts it', async () => {
  await using w = await world()
  const site = express()
  site.get('/', (_request, response) => void response.send('My own page'))
  site.use('/chat', nodeListener(createApp({ chat: w.chat, basePath: '/chat' })))
  await using server = await listening(site)
  const settings = (await (await fetch(`${server.url}/chat/api/v1/server_settings`)).json()) as any
  assert.equal(settings.realm_url, `${server.url}/chat`)
  assert.equal(await (await fetch(`${server.url}/`)).text(), 'My own page')
})

test('the server URL and links made without a request include the base path', async () => {
  await using server = await testServer({ basePath: '/chat' })
  assert.match(server.url, /^http:\/\/127\.0\.0\.1:\d+\/chat$/)
  const headers = { authorization: server.hamlet.authorization }
  assert.equal((await fetch(`${server.url}/api/v1/users/me`, { headers })).status, 200)
})

test('callers without a request have the base path too', async () => {
  await using s = await below()
  const caller = await actAs(s.chat, { email: s.people.iago.email })
  const { invite_link } = await createInviteLink(caller, {})
  assert.equal(new URL(invite_link).pathname, '/chat/join')
  const { url } = await s.upload('note.txt', Buffer.from('Hello'), 'text/plain')
  await sendMessage(await actAs(s.chat, { email: s.people.hamlet.email }), {
    type: 'stream',
    to: 'denmark',
    topic: 'files',
    content: `[note](${url})`,
  })
  const { attachments } = await s.asHamlet('GET', '/attachments')
  assert.equal(attachments[0].message_ids.length, 1)
})
