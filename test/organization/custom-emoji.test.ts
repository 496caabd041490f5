import assert from 'node:assert/strict'
import test from 'node:test'
import { checkImage } from '../../src/core/files/images/headers/read.ts'
import { contextOf } from '../../src/core/kernel/context.ts'
import { customEmojiByName } from '../../src/core/organization/emoji/custom-emoji.ts'
import { deactivateCustomEmoji } from '../../src/core/organization/emoji/deactivate.ts'
import { listCustomEmoji } from '../../src/core/organization/emoji/list.ts'
import { getCustomEmojiImage } from '../../src/core/organization/emoji/served.ts'
import { uploadCustomEmoji } from '../../src/core/organization/emoji/upload.ts'
import { putSetting } from '../../src/core/settings/organization.ts'
import { createApp } from '../../src/http/app.ts'
import { getMessage, sendMessage } from '../../src/index.ts'
import { type Person, world } from '../../src/testing/index.ts'
import { type Bytes, gif, png } from '../files/images.ts'

const upload = (who: Person, emoji_name: string, bytes: Bytes = png()) =>
  uploadCustomEmoji(who, { emoji_name, filename: { name: 'whatever.txt', bytes } })

test('Upload custom emoji | appears for everyone with one event listing all emoji', async () => {
  await using w = await world()
  const { hamlet } = w.people
  assert.deepEqual(await upload(hamlet, 'Green Tick'), {})
  const realm_emoji = {
    1: {
      id: '1',
      name: 'green_tick',
      source_url: '/user_avatars/1/emoji/images/1.png',
      still_url: null,
      deactivated: false,
      author_id: hamlet.id,
    },
  }
  assert.deepEqual(await listCustomEmoji(w.people.polonius, {}), { emoji: realm_emoji })
  assert.deepEqual(await w.events(), [{ type: 'realm_emoji', op: 'update', realm_emoji, changed: '1' }])
  assert.deepEqual(
    [...(await customEmojiByName(hamlet))],
    [['green_tick', { id: '1', url: '/user_avatars/1/emoji/images/1.png' }]],
  )
})

const names: Record<string, string> = {
  blobcat: 'blobcat',
  BLOBCAT: 'blobcat',
  'party parrot': 'party_parrot',
  party_Parrot: 'party_parrot',
  ' party parrot ': 'party_parrot',
  'e-mail-2': 'e-mail-2',
  Übung: 'übung',
  U\u0308bung: 'übung',
  日本: '日本',
  नमस्ते: 'नमस्ते',
  '2026': '2026',
}
for (const [given, stored] of Object.entries(names)) {
  test(`Upload custom emoji | stores emoji_name '${given}' as '${stored}'`, async () => {
    await using w = await world()
    await upload(w.people.hamlet, given)
    assert.deepEqual([...(await customEmojiByName(w.people.hamlet)).keys()], [stored])
  })
}

const refusedNames: Record<string, string> = {
  '': 'Emoji name must not be empty',
  ' _ ': 'Emoji name must not be empty',
  'a.b': 'Invalid characters in emoji name',
  'a:b': 'Invalid characters in emoji name',
  'a/b': 'Invalid characters in emoji name',
  'a\tb': 'Invalid characters in emoji name',
  '<b>': 'Invalid characters in emoji name',
  '😀': 'Invalid characters in emoji name',
  '--': 'Emoji name must contain at least one letter or number',
  ['x'.repeat(61)]: 'Emoji name is too long (limit: 60 characters)',
}
for (const [given, message] of Object.entries(refusedNames)) {
  test(`Upload custom emoji | emoji_name '${given.slice(0, 10)}' | ${message}`, async () => {
    await using w = await world()
    await assert.rejects(upload(w.people.hamlet, given), { code: 'BAD_REQUEST', message })
    assert.deepEqual(await w.events(), [])
  })
}

test('Upload custom emoji | rejects a name in use in any spelling, and frees it on deactivation', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  await upload(hamlet, 'party parrot')
  const message = 'A custom emoji with this name already exists.'
  for (const same of ['party_parrot', 'Party Parrot']) await assert.rejects(upload(iago, same), { message })
  await deactivateCustomEmoji(hamlet, { emoji_name: 'PARTY parrot' })
  await upload(iago, 'party_parrot')
  const { emoji } = await listCustomEmoji(iago, {})
  assert.deepEqual(
    Object.values(emoji).map(({ id, deactivated }) => [id, deactivated]),
    [
      ['1', true],
      ['2', false],
    ],
  )
})

test("Upload custom emoji | only administrators can use a default emoji's name", async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  for (const name of ['tada', 'Thumbs Up', 'zulip']) {
    const message = 'Only administrators can override default emoji.'
    await assert.rejects(upload(hamlet, name), { code: 'BAD_REQUEST', message })
    await upload(iago, name)
  }
})

test("Upload custom emoji | access depends on the organization's configuration", async () => {
  await using w = await world()
  const { hamlet, iago, polonius } = w.people
  const refused = { code: 'BAD_REQUEST', message: 'Insufficient permission' }
  await assert.rejects(upload(polonius, 'one-of-ours'), refused, 'guests may not at first')
  await upload(hamlet, 'one-of-ours')
  await iago.write((tx) => putSetting(tx, 'can_add_custom_emoji_group', 'role:administrators'))
  await assert.rejects(upload(hamlet, 'another-of-ours'), refused)
  await upload(iago, 'another-of-ours')
})

test('Custom emoji file size | 5 MB by default', async () => {
  await using w = await world()
  const padded = (size: number): Bytes => {
    const bytes = new Uint8Array(size)
    bytes.set(png())
    return bytes
  }
  const limit = 5 * 1024 * 1024
  await upload(w.people.hamlet, 'largest', padded(limit))
  await assert.rejects(upload(w.people.hamlet, 'larger', padded(limit + 1)), {
    code: 'TOO_LARGE',
    message: 'Uploaded file is larger than the allowed limit of 5 MiB',
  })
})

test('Custom emoji file size | MAX_EMOJI_FILE_SIZE_MIB changes it', async () => {
  await using w = await world({ chat: { maxEmojiFileSizeMib: 1 } })
  await assert.rejects(upload(w.people.hamlet, 'larger', new Uint8Array(1024 * 1024 + 1)), {
    message: 'Uploaded file is larger than the allowed limit of 1 MiB',
  })
})

test('Upload custom emoji | reads the form field filename over HTTP and rejects files that are not images', async () => {
  await using w = await world()
  const { api } = w.people.hamlet
  assert.deepEqual(await api.upload('/realm/emoji/Party%20Parrot', gif({ frames: 2 }), 'a.gif'), {
    status: 200,
    result: 'success',
    msg: '',
  })
  assert.deepEqual(await api.upload('/realm/emoji/text', Uint8Array.from([1, 2, 3]), 'a.png'), {
    status: 400,
    result: 'error',
    code: 'BAD_IMAGE',
    msg: 'Invalid image file. Use a PNG, GIF, JPEG or WebP image.',
  })
  const { emoji } = await api.get('/realm/emoji')
  assert.deepEqual(Object.keys(emoji), ['1'])
  assert.equal(emoji[1].still_url, '/user_avatars/1/emoji/images/still/1.gif')
})

test('serves the image and its still frame safely', async () => {
  await using w = await world()
  await upload(w.people.hamlet, 'party', gif({ frames: 2 }))
  const app = createApp({ chat: w.chat, rateLimit: false })
  const get = (path: string) => app.fetch(new Request(`http://localhost/user_avatars/1/emoji/images/${path}`))
  const image = await get('1.gif')
  assert.equal(image.status, 200)
  assert.equal(image.headers.get('content-type'), 'image/gif')
  assert.equal(image.headers.get('x-content-type-options'), 'nosniff')
  assert.equal(image.headers.get('content-security-policy'), "default-src 'none'; sandbox")
  assert.deepEqual(new Uint8Array(await image.arrayBuffer()), gif({ frames: 2 }))
  const still = await get('still/1.gif')
  assert.deepEqual(new Uint8Array(await still.arrayBuffer()), gif({ frames: 1 }))
  for (const absent of ['2.gif', 'x.gif', 'still/2.gif']) assert.equal((await get(absent)).status, 404)
})

test('streams a large image', async () => {
  await using w = await world()
  const bytes = new Uint8Array(600_000).fill(7)
  bytes.set(png())
  await upload(w.people.hamlet, 'large', bytes)
  const image = await getCustomEmojiImage(contextOf(w.chat), { file: '1.png' })
  const chunks: Uint8Array[] = []
  for await (const chunk of image.read(0, image.size)) chunks.push(chunk)
  assert.ok(chunks.length > 1, 'premise: it comes in pieces')
  assert.equal(image.size, bytes.length)
  assert.deepEqual(Buffer.concat(chunks), Buffer.from(bytes))
})

test('only the author and administrators can deactivate', async () => {
  await using w = await world()
  const { hamlet, cordelia, iago } = w.people
  await upload(hamlet, 'first-one')
  await upload(hamlet, 'second-one')
  await assert.rejects(deactivateCustomEmoji(cordelia, { emoji_name: 'first-one' }), {
    code: 'BAD_REQUEST',
    message: 'Must be an organization administrator or emoji author',
  })
  await deactivateCustomEmoji(hamlet, { emoji_name: 'first-one' })
  await deactivateCustomEmoji(iago, { emoji_name: 'second-one' })
  assert.deepEqual(await hamlet.api.delete('/realm/emoji/first-one'), {
    status: 404,
    result: 'error',
    code: 'BAD_REQUEST',
    msg: "Emoji 'first-one' does not exist",
  })
})

test("the zulip emoji's image | is served where messages refer to it", async () => {
  await using w = await world()
  const { id } = await sendMessage(w.people.hamlet, { type: 'stream', to: 'general', topic: 'x', content: ':zulip:' })
  const { content } = (await getMessage(w.people.hamlet, { message_id: id })).message
  const [, path] = /src="([^"]+)"/.exec(content)!
  const answer = await createApp({ chat: w.chat }).fetch(new Request(`http://localhost${path}`))
  assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'])
  assert.equal(checkImage(new Uint8Array(await answer.arrayBuffer())).width, 64)
})
