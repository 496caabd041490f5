import assert from 'node:assert/strict'
import { readdirSync } from 'node:fs'
import { tmpdir } from 'node:os'
import test from 'node:test'
import sharp from 'sharp'
import { startThumbnailer, thumbnailerOf } from '../../src/core/files/thumbnailer.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { sendMessage, updateMessage } from '../../src/index.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { type Bytes, bytesOf, fetchAs, noise, statusFor, stored, sweepNow, upload } from './files.ts'
import { png } from './images.ts'

type Format = 'png' | 'jpeg' | 'webp' | 'avif' | 'gif' | 'tiff'

/** Returns an image with one color. */
const picture = async (format: Format, width = 1200, height = 900): Promise<Bytes> =>
  Uint8Array.from(
    await sharp({ create: { width, height, channels: 3, background: '#336699' } })
      [format]()
      .toBuffer(),
  )

async function animation(frames = 3): Promise<Bytes> {
  const each = Array.from({ length: frames }, (_, i) => ({
    create: { width: 40, height: 30, channels: 3 as const, background: { r: 80 * i, g: 0, b: 0 } },
  }))
  const images = await Promise.all(each.map((one) => sharp(one).png().toBuffer()))
  return Uint8Array.from(
    await sharp(images, { join: { animated: true } })
      .gif()
      .toBuffer(),
  )
}

const contentOf = async (who: Person, id: number) => (await who.api.get(`/messages/${id}`)).message.content as string
const settled = (w: World) => thumbnailerOf(w.chat).settled()
const shown = (path: string, attributes: string) =>
  `<p><a href="${path}">it</a></p>\n<div class="message_inline_image"><a href="${path}" title="it"><img ${attributes}></a></div>`
const thumbnailOf = (path: string, format = '840x560.webp') =>
  `${path.replace('/user_uploads/', '/user_uploads/thumbnail/')}/${format}`

/** A world in which images wait until `goOn` is called. */
async function waitingWorld(): Promise<{ w: World; goOn(): Promise<void> }> {
  const w = await world()
  const real = thumbnailerOf(w.chat)
  thumbnailerOf.provide(w.chat, { ...real, wake() {} })
  return {
    w,
    async goOn() {
      thumbnailerOf.provide(w.chat, real)
      real.wake()
      await real.settled()
    },
  }
}

test('shows a placeholder until the thumbnail is ready, then notifies readers', async () => {
  const { w, goOn } = await waitingWorld()
  await using _ = w.chat
  const { hamlet, iago } = w.people
  const path = await upload(hamlet, await picture('png'), 'big.png')
  const about = 'data-original-content-type="image/png" data-original-dimensions="1200x900"'
  const { id } = await hamlet.says(`[it](${path})`)
  const waiting = shown(
    path,
    `class="image-loading-placeholder" ${about} src="/static/images/loading/loader-black.svg"`,
  )
  assert.equal(await contentOf(iago, id), waiting)
  assert.equal(await statusFor(w, undefined, '/static/images/loading/loader-black.svg'), 200)
  assert.equal(await statusFor(w, iago, thumbnailOf(path)), 404)
  const { queue_id, last_event_id } = await iago.api.post('/register', { apply_markdown: true })
  await goOn()
  const ready = shown(path, `${about} src="${thumbnailOf(path)}"`)
  assert.equal(await contentOf(iago, id), ready)
  const { events } = await iago.api.get('/events', { queue_id, last_event_id, dont_block: true })
  assert.equal(events.length, 1)
  const [{ type, rendering_only, message_id, message_ids, rendered_content, user_id, content }] = events
  assert.deepEqual(
    { type, rendering_only, message_id, message_ids, rendered_content, user_id, content },
    {
      type: 'update_message',
      rendering_only: true,
      message_id: id,
      message_ids: [id],
      rendered_content: ready,
      user_id: null,
      content: `[it](${path})`,
    },
  )
  const { message } = await iago.api.get(`/messages/${id}`)
  assert.equal('last_edit_timestamp' in message || 'edit_history' in message, false)
  const copy = await fetchAs(w, iago, thumbnailOf(path))
  assert.equal(copy.headers.get('content-type'), 'image/webp')
  const { width, height } = await sharp(Buffer.from(await copy.arrayBuffer())).metadata()
  assert.deepEqual([width, height], [747, 560])
  assert.equal(await contentOf(iago, (await hamlet.says(`[it](${path})`)).id), ready)
})

test('shows an image where it is written, in the form that clients parse', async () => {
  const { w, goOn } = await waitingWorld()
  await using _ = w.chat
  const { hamlet, iago } = w.people
  const path = await upload(hamlet, await picture('png'), 'big.png')
  const status = async () => (await iago.api.get(`/thumbnail/status${path.replace('/user_uploads', '')}`)).has_thumbnail
  const { id } = await hamlet.says(`# a ![A "big" one](${path}) b\n\n${path}`)
  const inline = (classes: string, src: string) =>
    `<img alt="A &quot;big&quot; one" class="${classes}" data-original-content-type="image/png" ` +
    `data-original-dimensions="1200x900" data-original-src="${path}" src="${src}">`
  const contains = async (html: string) => assert.ok((await contentOf(iago, id)).includes(`<h1>a ${html} b</h1>`), html)
  assert.equal(await status(), false)
  await contains(inline('inline-image image-loading-placeholder', '/static/images/loading/loader-black.svg'))
  const { queue_id, last_event_id } = await iago.api.post('/register', { event_types: ['update_message'] })
  await goOn()
  await contains(inline('inline-image', thumbnailOf(path)))
  assert.equal(await status(), true)
  const { events } = await iago.api.get('/events', { queue_id, last_event_id, dont_block: true })
  assert.deepEqual(
    events.map(({ rendering_only }: { rendering_only: boolean }) => rendering_only),
    [true],
  )
  const { messages } = await iago.api.get('/messages', {
    ...{ anchor: 'newest', num_before: 5, num_after: 0 },
    narrow: [{ operator: 'has', operand: 'image' }],
  })
  assert.equal(messages.length, 1)
  const secret = await upload(hamlet, await picture('png'), 'own.png')
  assert.equal((await iago.api.get(`/thumbnail/status${secret.replace('/user_uploads', '')}`)).status, 403)
  assert.equal((await iago.api.get('/thumbnail/status/1/no/such.png')).status, 404)
})

test('plays audio files where they are written, and only links to others', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const render = async (content: string) => (await hamlet.api.post('/messages/render', { content })).rendered as string
  const song = await upload(hamlet, bytesOf('la la'), 'song.mp3')
  assert.equal(
    await render(`Hear ![](${song})`),
    `<p>Hear <audio controls preload="metadata" src="${song}" title="song.mp3"></audio></p>`,
  )
  assert.match(await render(`![My "song"](${song})`), / title="My &quot;song&quot;"><\/audio>/)
  assert.match(await render(`[link](${song})`), /<a href/)
  const { id } = await hamlet.says(`![](${song})`)
  const { attachments } = await hamlet.api.get('/attachments')
  assert.deepEqual(attachments[0].message_ids, [id])
  const text = await upload(hamlet, bytesOf('words'), 'words.txt')
  for (const path of [text, '/user_uploads/1/no/such.mp3']) {
    assert.doesNotMatch(await render(`![](${path})`), /<(?:audio|img)/)
  }
  const own = await upload(iago, bytesOf('la la'), 'own.mp3')
  assert.doesNotMatch(await render(`![](${own})`), /<audio/)
})

test('a message rendered before the thumbnail existed shows it when stored after', async () => {
  const { w, goOn } = await waitingWorld()
  await using _ = w.chat
  const { hamlet } = w.people
  const path = await upload(hamlet, await picture('jpeg'), 'x.jpg')
  const first = await hamlet.says('later')
  const send = sendMessage(hamlet, { type: 'private', to: [hamlet.id], content: `[it](${path})` })
  const edit = updateMessage(hamlet, { message_id: first.id, content: `[it](${path})` })
  await goOn()
  const { id } = await send
  await edit
  await goOn()
  for (const one of [id, first.id]) assert.match(await contentOf(hamlet, one), /thumbnail.*840x560\.webp/)
})

test('thumbnails every browser image format and TIFF, by bytes rather than name', async () => {
  await using w = await world()
  const { hamlet } = w.people
  for (const format of ['png', 'jpeg', 'webp', 'avif', 'gif', 'tiff'] as const) {
    const path = await upload(hamlet, await picture(format, 60, 40), 'photo')
    await settled(w)
    const { rendered } = await hamlet.api.post('/messages/render', { content: `[it](${path})` })
    // Images that browsers can't show have a copy in full size.
    const other = format === 'tiff' ? ' data-transcoded-image="4032x3024.webp"' : ''
    const about = `data-original-content-type="image/${format}" data-original-dimensions="60x40"${other}`
    assert.equal(rendered, shown(path, `${about} src="${thumbnailOf(path)}"`))
    assert.equal(await statusFor(w, hamlet, thumbnailOf(path)), 200)
    assert.equal(await statusFor(w, hamlet, thumbnailOf(path, '4032x3024.webp')), other ? 200 : 404)
  }
})

test('an animation gets both an animated and a still thumbnail', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const path = await upload(hamlet, await animation(), 'x.gif')
  await settled(w)
  const { rendered } = await hamlet.api.post('/messages/render', { content: `[it](${path})` })
  const about = 'data-animated="true" data-original-content-type="image/gif" data-original-dimensions="40x30"'
  assert.equal(rendered, shown(path, `${about} src="${thumbnailOf(path, '840x560-anim.webp')}"`))
  for (const [format, pages] of [
    ['840x560-anim.webp', 3],
    ['840x560.webp', 1],
  ] as const) {
    const copy = await fetchAs(w, hamlet, thumbnailOf(path, format))
    assert.equal((await sharp(Buffer.from(await copy.arrayBuffer())).metadata()).pages ?? 1, pages)
  }
})

test('rotates a photograph by its orientation tag', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const turned = sharp(await picture('jpeg', 60, 40)).withMetadata({ orientation: 6 })
  const path = await upload(hamlet, Uint8Array.from(await turned.toBuffer()), 'x.jpg')
  const { rendered } = await hamlet.api.post('/messages/render', { content: `[it](${path})` })
  assert.match(rendered, /data-original-dimensions="40x60"/)
})

test('links files that only look like images, are damaged or are too large to decode', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const whole = await picture('png', 50, 50)
  const files: [string, Bytes][] = [
    ['not an image', bytesOf('<svg xmlns="http://www.w3.org/2000/svg"/>')],
    ['50,000 by 50,000 pixels', png({ width: 50_000, height: 50_000 })],
    ['only a beginning', whole.slice(0, 20)],
    ['noise', noise(1000)],
  ]
  for (const [what, bytes] of files) {
    const path = await upload(hamlet, bytes, 'x.png')
    await settled(w)
    const { rendered } = await hamlet.api.post('/messages/render', { content: `[it](${path})` })
    assert.equal(rendered, `<p><a href="${path}">it</a></p>`, what)
    assert.equal(await statusFor(w, hamlet, path), 200)
  }
})

test('shows the original when no thumbnail can be made', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const whole = await sharp(noise(300 * 300 * 3), { raw: { width: 300, height: 300, channels: 3 } })
    .png()
    .toBuffer()
  const path = await upload(hamlet, Uint8Array.from(whole.subarray(0, 5000)), 'x.png')
  const { id } = await hamlet.says(`[it](${path})`)
  await settled(w)
  const about = 'data-original-content-type="image/png" data-original-dimensions="300x300"'
  assert.equal(await contentOf(hamlet, id), shown(path, `${about} src="${path}"`))
})

test('finishes pending thumbnails after a restart', async () => {
  const { w } = await waitingWorld()
  await using _ = w.chat
  const { hamlet } = w.people
  const path = await upload(hamlet, await picture('png'), 'x.png')
  const shown: number[] = []
  const restarted = startThumbnailer(w.chat, async (_, file_id) => void shown.push(file_id))
  restarted.wake()
  await restarted.settled()
  assert.deepEqual(shown, [1])
  assert.equal(await statusFor(w, hamlet, thumbnailOf(path)), 200)
})

test('only readers of an image can see its thumbnails', async () => {
  await using w = await world()
  const { hamlet, iago, polonius } = w.people
  const path = await upload(hamlet, await picture('png'), 'x.png')
  await settled(w)
  const statuses = async () => [
    await statusFor(w, iago, thumbnailOf(path)),
    await statusFor(w, polonius, thumbnailOf(path)),
    await statusFor(w, undefined, thumbnailOf(path)),
  ]
  assert.deepEqual(await statuses(), [403, 403, 401])
  await hamlet.says(`[it](${path})`)
  assert.deepEqual(await statuses(), [200, 403, 401])
  for (const wrong of ['1x1.webp', '840x560.png', '..', '']) {
    assert.equal(await statusFor(w, hamlet, thumbnailOf(path, wrong)), 404, wrong)
  }
})

test('older clients find images through /thumbnail', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const path = await upload(hamlet, await picture('png'), 'x.png')
  await settled(w)
  const locationOf = async (size: string) => {
    const response = await fetchAs(w, hamlet, `/thumbnail?url=${encodeURIComponent(path.slice(1))}&size=${size}`)
    return [response.status, response.headers.get('location')]
  }
  assert.deepEqual(await locationOf('thumbnail'), [302, thumbnailOf(path)])
  assert.deepEqual(await locationOf('full'), [302, path])
  assert.equal(await statusFor(w, iago, `/thumbnail?url=${path}`), 403)
  assert.equal(await statusFor(w, hamlet, '/thumbnail?url=https://elsewhere.example/x.png'), 403)
})

test("deletes an image's thumbnails with it and leaves no temporary files", async () => {
  await using w = await world()
  const { hamlet } = w.people
  await upload(hamlet, await picture('png'), 'x.png')
  await settled(w)
  assert.equal((await stored(w)).blob, 2)
  await hamlet.api.delete('/attachments/1')
  await sweepNow(w, 1000)
  assert.deepEqual(await stored(w), { file: 0, upload: 0, blob: 0, blob_chunk: 0, dropped_blob: 0 })
  assert.deepEqual(
    readdirSync(tmpdir()).filter((name) => name.startsWith(`chat-server-image-${process.pid}-`)),
    [],
  )
})

test("finishing a thumbnail doesn't restore a deleted image", async () => {
  const { w, goOn } = await waitingWorld()
  await using _ = w.chat
  const { hamlet } = w.people
  await upload(hamlet, await picture('png'), 'x.png')
  await hamlet.api.delete('/attachments/1')
  await goOn()
  assert.equal((await storeOf(w.chat).db.selectFrom('thumbnail').selectAll().execute()).length, 0)
})

test('advertises the available thumbnail formats to clients', async () => {
  await using w = await world()
  const { server_thumbnail_formats, server_inline_image_preview } = await w.people.hamlet.api.post('/register')
  const size = { max_width: 840, max_height: 560, format: 'webp' }
  assert.deepEqual(server_thumbnail_formats, [
    { name: '840x560-anim.webp', ...size, animated: true },
    { name: '840x560.webp', ...size, animated: false },
  ])
  assert.equal(server_inline_image_preview, true)
})

test('has:image finds stored images whether or not previews are on', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const path = await upload(hamlet, await picture('png'), 'x.png')
  const text = await upload(hamlet, bytesOf('x'), 'y.png')
  await iago.api.patch('/realm', { inline_image_preview: false })
  const { id } = await hamlet.says(`[it](${path})`)
  await hamlet.says(`[it](${text}) [other](/user_uploads/1/aa/bb/c.png) https://example.com/x.png`)
  const narrow = [{ operator: 'has', operand: 'image' }]
  const { messages } = await hamlet.api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0, narrow })
  assert.deepEqual(
    messages.map((message: { id: number }) => message.id),
    [id],
  )
  assert.equal(await contentOf(iago, id), `<p><a href="${path}">it</a></p>`)
})
