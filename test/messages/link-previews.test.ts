// cspell:ignore oembed
import assert from 'node:assert/strict'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import test from 'node:test'
import sharp from 'sharp'
import { linkPreviewsOf } from '../../src/core/messages/send/message-workers.ts'
import type { FetchAnswer, FetchRequest } from '../../src/network/post.ts'
import { type World, world } from '../../src/testing/index.ts'

const page = (head: string, headers: Record<string, string> = { 'content-type': 'text/html; charset=utf-8' }) => ({
  status: 200,
  headers,
  bytes: Buffer.from(`<!doctype html><html><head>${head}</head><body><title>Not this</title></body></html>`),
})

/** A world with previews, in which other servers answer this. */
async function online(answers: Readonly<Record<string, FetchAnswer>>) {
  const asked: string[] = []
  const fetch = async ({ url }: FetchRequest) => {
    asked.push(url)
    const answer = answers[url]
    if (!answer) throw new Error('unreachable')
    return answer
  }
  const w = await world({ chat: { outgoing: { fetch } } })
  await w.iago.api.patch('/realm', { inline_url_embed_preview: true })
  return { w, asked }
}

async function said({ chat, hamlet }: World, content: string): Promise<{ id: number; html: string }> {
  const { id } = await hamlet.says(content)
  await linkPreviewsOf(chat).settled()
  return { id, html: await htmlOf({ hamlet }, id) }
}
const htmlOf = async ({ hamlet }: Pick<World, 'hamlet'>, id: number): Promise<string> =>
  (await hamlet.api.get(`/messages/${id}`)).message.content

test('shows what a page says about itself, with an image of the server’s own, to everyone', async () => {
  const { w, asked } = await online({
    'https://example.com/play': page(
      `<meta property="og:title" content="The &lt;Mousetrap&gt;"><meta name="description" content="A play\nin a play">
      <meta property="og:image" content="/cover.png"><title>Other</title>`,
    ),
    'https://example.com/cover.png': {
      status: 200,
      headers: { 'content-type': 'image/png' },
      bytes: await sharp({ create: { width: 600, height: 400, channels: 3, background: 'red' } })
        .png()
        .toBuffer(),
    },
  })
  await using _ = w
  const queue = await w.cordelia.api.post('/register', { event_types: ['update_message'] })
  const { id, html } = await said(w, 'See https://example.com/play')
  assert.deepEqual(asked, ['https://example.com/play', 'https://example.com/cover.png'])
  const [, image] = /style="background-image: url\(&quot;(\/user_uploads\/[^&]+)&quot;\)"/.exec(html) ?? []
  assert.ok(image, html)
  assert.ok(html.includes('title="The &lt;Mousetrap&gt;">The &lt;Mousetrap&gt;</a></div>'), html)
  assert.ok(html.includes('<div class="message_embed_description">A play in a play</div>'), html)
  const { events } = await w.cordelia.api.get('/events', { queue_id: queue.queue_id, last_event_id: -1 })
  assert.deepEqual([events[0].message_id, events[0].rendering_only, events[0].rendered_content], [id, true, html])
  const { attachments } = await w.hamlet.api.get('/attachments')
  assert.deepEqual(
    attachments.map(({ message_ids }: { message_ids: number[] }) => message_ids),
    [[id]],
  )
  // An edit without the link has no preview, and its image is no longer used.
  await w.hamlet.api.patch(`/messages/${id}`, { content: 'See the play' })
  await linkPreviewsOf(w.chat).settled()
  assert.equal(await htmlOf(w, id), '<p>See the play</p>')
  assert.deepEqual((await w.hamlet.api.get('/attachments')).attachments[0].message_ids, [])
})

test('follows redirects, reads oEmbed, and falls back to the title', async () => {
  const { w } = await online({
    'https://example.com/a': { status: 302, headers: { location: '/b' }, bytes: Buffer.alloc(0) },
    'https://example.com/b': page('<title>  The\n Tempest </title>'),
    'https://example.com/film': page(
      '<link rel="alternate" type="application/json+oembed" href="/oembed?of=film"><title>film</title>',
    ),
    'https://example.com/oembed?of=film': {
      status: 200,
      headers: { 'content-type': 'application/json' },
      bytes: Buffer.from('{"title":"A film","html":"<script>"}'),
    },
  })
  await using _ = w
  assert.match((await said(w, 'https://example.com/a')).html, /<a href="https:\/\/example.com\/a" title="The Tempest">/)
  const { html } = await said(w, 'https://example.com/film')
  assert.match(html, />A film<\/a>/)
  assert.doesNotMatch(html, /script/)
})

test('leaves out what is not a page, quotes, links between < and >, and links after the third', async () => {
  const titled = page('<title>x</title>')
  const { w, asked } = await online({
    'https://example.com/data': page('<title>x</title>', { 'content-type': 'application/json' }),
    'https://example.com/empty': page(''),
    'https://example.com/gone': { ...titled, status: 404 },
    'https://example.com/ftp': { status: 301, headers: { location: 'ftp://example.com' }, bytes: Buffer.alloc(0) },
    ...Object.fromEntries([1, 2, 3, 4].map((i) => [`https://example.com/${i}`, titled])),
  })
  await using _ = w
  for (const name of ['data', 'empty', 'gone', 'ftp', 'unreachable'])
    assert.doesNotMatch((await said(w, `https://example.com/${name}`)).html, /message_embed/)
  asked.length = 0
  await said(w, '> https://example.com/1\n\n`https://example.com/2` and <https://example.com/3>')
  assert.deepEqual(asked, [])
  const four = [1, 2, 3, 4].map((i) => `https://example.com/${i}`)
  assert.equal((await said(w, four.join(' '))).html.split('class="message_embed"').length - 1, 3)
  assert.deepEqual(asked, four.slice(0, 3))
})

test('asks no other server unless the organization has previews, and adds none to a message that changed', async () => {
  const answers: Record<string, FetchAnswer> = { 'https://example.com/': page('<title>x</title>') }
  const { w, asked } = await online(answers)
  await using _ = w
  let answer = () => {}
  const isAnswered = new Promise<void>((resolve) => (answer = resolve))
  answers['https://example.com/slow'] = undefined as never
  Object.defineProperty(answers, 'https://example.com/slow', {
    get: () => isAnswered.then(() => page('<title>slow</title>')),
  })
  const { id } = await w.hamlet.says('https://example.com/slow')
  await w.hamlet.api.patch(`/messages/${id}`, { content: 'never mind' })
  answer()
  await linkPreviewsOf(w.chat).settled()
  assert.equal(await htmlOf(w, id), '<p>never mind</p>')
  await w.iago.api.patch('/realm', { inline_url_embed_preview: false })
  asked.length = 0
  assert.doesNotMatch((await said(w, 'https://example.com/')).html, /message_embed/)
  assert.deepEqual(asked, [])
})

test('adds one preview to a message that two edits changed and restored', async () => {
  const answers: Record<string, FetchAnswer> = {}
  const { w } = await online(answers)
  await using _ = w
  let answer = () => {}
  const isAnswered = new Promise<void>((resolve) => (answer = resolve))
  Object.defineProperty(answers, 'https://example.com/slow', {
    get: () => isAnswered.then(() => page('<title>slow</title>')),
  })
  const { id } = await w.hamlet.says('https://example.com/slow')
  await w.hamlet.api.patch(`/messages/${id}`, { content: 'never mind' })
  await w.hamlet.api.patch(`/messages/${id}`, { content: 'https://example.com/slow' })
  answer()
  await linkPreviewsOf(w.chat).settled()
  assert.equal((await htmlOf(w, id)).match(/class="message_embed"/g)?.length, 1)
})

test('never reads a private address, even where webhooks may', async () => {
  let requests = 0
  const local = createServer((_, response) => {
    requests += 1
    response.setHeader('content-type', 'text/html')
    response.end('<title>Secret</title>')
  })
  await new Promise<void>((resolve) => local.listen(0, '127.0.0.1', resolve))
  await using w = await world({ chat: { outgoing: { allowPrivate: true } } })
  await w.iago.api.patch('/realm', { inline_url_embed_preview: true })
  const { port } = local.address() as AddressInfo
  const { html } = await said(w, `http://127.0.0.1:${port}/`)
  local.close()
  assert.doesNotMatch(html, /message_embed/)
  assert.equal(requests, 0)
})
