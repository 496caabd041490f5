import assert from 'node:assert/strict'
import { createHash } from 'node:crypto'
import test from 'node:test'
import sharp from 'sharp'
import { drawAvatar } from '../../src/core/users/avatars/draw-avatar.ts'
import { drawnAvatarUrl, initialsOf, readDrawnAvatar } from '../../src/core/users/avatars/drawn-avatar.ts'
import { createApp } from '../../src/http/index.ts'
import { apiOf } from '../../src/testing/api.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { follow } from '../../src/testing/verify-events.ts'
import { onePixelPng } from '../fixtures/images.ts'

/** Everything a client gets at registration and with a message, as one text. */
async function detail(w: World, client_gravatar: boolean): Promise<string> {
  const { iago, hamlet } = w.people
  const state = await hamlet.api.post('/register', { client_gravatar })
  await iago.says('hello')
  await iago.api.patch(`/users/${w.people.cordelia.id}`, { full_name: 'Cordelia Lear' })
  await iago.api.post('/users', { email: 'new@example.com', full_name: 'New', password: 'correct horse' })
  const answers = [
    state,
    await hamlet.api.get('/events', { queue_id: state.queue_id, last_event_id: -1, dont_block: true }),
    await hamlet.api.get('/users', { client_gravatar }),
    await hamlet.api.get('/users/me'),
    await hamlet.api.get('/messages', { anchor: 'newest', num_before: 10, num_after: 0, client_gravatar }),
  ]
  return JSON.stringify(answers)
}

test('users without an avatar have a Gravatar, or null for clients that compute it, everywhere', async () => {
  await using w = await world({ people: { robot: { bot: true } } })
  const withAddresses = await detail(w, false)
  assert.ok(withAddresses.includes('"avatar_url":"https://secure.gravatar.com/avatar/'))
  assert.ok(!withAddresses.includes('"avatar_url":null') && !withAddresses.includes('/drawn/'))
  await using v = await world({ people: { robot: { bot: true } } })
  const { hamlet, iago } = v.people
  const { id } = await iago.says('hello')
  const answers = [
    (await hamlet.api.get('/users')).members,
    [(await hamlet.api.get(`/users/${iago.id}`)).user],
    [(await hamlet.api.get(`/messages/${id}`)).message],
    (await hamlet.api.get('/messages', { anchor: 'newest', num_before: 9, num_after: 0 })).messages,
    (await hamlet.api.post('/register')).realm_users,
  ].flat()
  assert.deepEqual([...new Set(answers.map(({ avatar_url }) => avatar_url))], [null])
})

test('no Gravatar reveals a hidden address', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  await hamlet.api.patch('/settings', { email_address_visibility: 4 })
  const md5 = (address: string) => createHash('md5').update(address).digest('hex')
  const { user } = await iago.api.get(`/users/${hamlet.id}`, { client_gravatar: false })
  assert.notEqual(user.email, 'hamlet@example.com')
  assert.ok(user.avatar_url.includes(md5(user.email)))
  const { id } = await hamlet.says('hello')
  const { message } = await iago.api.get(`/messages/${id}`, { client_gravatar: false })
  assert.equal(message.avatar_url, user.avatar_url)
})

test('with the option, initials avatars replace Gravatars for every client', async () => {
  for (const client_gravatar of [true, false]) {
    await using w = await world({ chat: { initialsAvatars: true }, people: { robot: { bot: true } } })
    const text = await detail(w, client_gravatar)
    assert.ok(!text.includes('gravatar.com') && !text.includes('"avatar_url":null'))
    assert.ok(text.includes('/user_avatars/1/drawn/'))
  }
})

test('new accounts have a geometric avatar if the organization chooses it, until they upload a picture', async () => {
  await using w = await world()
  const { iago } = w.people
  const before = await iago.api.get('/users/me')
  await iago.api.patch('/realm', { default_avatar_source: 'J' })
  const { user_id } = await iago.api.post('/users', {
    ...{ email: 'new@example.com', full_name: 'New', password: 'correct horse' },
  })
  const other = await iago.api.post('/users', {
    ...{ email: 'other@example.com', full_name: 'New', password: 'correct horse' },
  })
  const urlOf = async (id: number) => (await iago.api.get(`/users/${id}`)).user.avatar_url
  const url = await urlOf(user_id)
  assert.match(url, /^\/user_avatars\/1\/drawn\/geometric-[\da-f]{20}\.png$/)
  assert.notEqual(await urlOf(other.user_id), url)
  assert.equal((await iago.api.get('/users/me')).avatar_url, before.avatar_url)
  for (const [path, pixels] of [
    [url, 100],
    [url.replace('.png', '-medium.png'), 500],
  ] as const) {
    const image = await get(w, path)
    assert.equal(image.headers.get('content-type'), 'image/png')
    const { width, height } = await sharp(await image.arrayBuffer()).metadata()
    assert.deepEqual([width, height], [pixels, pixels])
  }
  for (const file of ['geometric-.png', 'geometric-00112233445566778899aa.png', 'geometric-0011223344556677889Z.png'])
    assert.equal((await get(w, `/user_avatars/1/drawn/${file}`)).status, 404, file)

  const account = { username: 'new@example.com', password: 'correct horse' }
  const { email, api_key } = await apiOf(w.chat).post('/fetch_api_key', account)
  const api = apiOf(w.chat, { email, key: api_key })
  await api.upload('/users/me/avatar', onePixelPng())
  assert.doesNotMatch(await urlOf(user_id), /drawn/)
  await api.delete('/users/me/avatar')
  assert.equal(await urlOf(user_id), url)
})

test('with the option, renaming a user changes the avatar and sends an event', async () => {
  await using w = await world({ chat: { initialsAvatars: true } })
  const { iago, hamlet } = w.people
  const clients = [await follow(() => hamlet), await follow(() => iago)]
  await iago.api.patch(`/users/${hamlet.id}`, { full_name: 'Yorick Smith' })
  for (const client of clients) await client.verify()
  const { user } = await iago.api.get(`/users/${hamlet.id}`)
  assert.match(user.avatar_url, /\/\d+-YS\.png$/)
  await w.events()
  await iago.api.patch(`/users/${hamlet.id}`, { full_name: 'Yolanda Stone' })
  assert.equal((await w.events()).length, 1, 'the same initials, the same picture')
})

const initials: Record<string, string> = {
  hamlet: 'H',
  'Hamlet, Prince of Denmark': 'HD',
  'ann-marie o’neill': 'AO',
  'émile zola': 'ÉZ',
  'ßeta ŉame': 'Sʼ',
  'Юрий Гагарин': 'ЮГ',
  陈大文: '陈',
  'User 7': 'U7',
  '👩‍👩‍👧 ✨': '?',
  '𐐨𐐩 x': '𐐀X',
}
for (const [name, expected] of Object.entries(initials)) {
  test(`the initials of '${name}' are ${expected}`, () => {
    assert.equal(initialsOf(name), expected)
    for (const size of ['small', 'medium'] as const) {
      const file = decodeURIComponent(drawnAvatarUrl({ id: 7, full_name: name }, size).split('/').at(-1)!)
      assert.deepEqual(readDrawnAvatar(file), { hue: 243, initials: expected, size })
    }
  })
}

test('neighbors have different colors', () => {
  const colors = Array.from({ length: 50 }, (_, i) => drawnAvatarUrl({ id: i, full_name: 'x' }))
  assert.equal(new Set(colors).size, 50)
})

test('reads no other URL as an initials avatar', () => {
  for (const file of [
    '7-<>.png',
    '7-a<.png',
    '7-&.png',
    '999-A.png',
    '-1-A.png',
    '7-ABC.png',
    '7-.png',
    '7-A.png/x',
    '7-A-large.png',
    '',
  ]) {
    assert.equal(readDrawnAvatar(file), undefined, file)
  }
})

async function get(w: World, path: string, who?: Person): Promise<Response> {
  const authorization = who && `Basic ${Buffer.from(`${who.email}:${who.key}`).toString('base64')}`
  const request = new Request(new URL(path, 'http://localhost'), { headers: authorization ? { authorization } : {} })
  return createApp({ chat: w.chat, rateLimit: false }).fetch(request)
}

/** The pixels of an initials avatar in two colors: dark and light. */
const drawn = async (initials: string, size: 'small' | 'medium' = 'small') => {
  const bytes = await drawAvatar({ hue: 200, initials, size })
  const { data } = await sharp(bytes).greyscale().threshold(200).raw().toBuffer({ resolveWithObject: true })
  return data
}
const lightPart = (pixels: Uint8Array) => pixels.filter((value) => value > 0).length / pixels.length

test('draws every letter distinctly within the image, and other scripts as a silhouette', async () => {
  const alphabet = [...'ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789ÆØŒÐŁÞÉÜŇÇБГҐДЖИЙЛПУФЦЧШЩЪЫЬЭЄЮЯΔΘΛΞΣΨΩ']
  const silhouette = await drawn('陈')
  const seen = new Set([silhouette.toString('base64')])
  for (const letter of alphabet) {
    const pixels = await drawn(letter)
    const part = lightPart(pixels)
    assert.ok(part > 0.015 && part < 0.15, `${letter}: ${part}`)
    const edge = pixels.filter((_, i) => i < 1000 || i >= 9000 || i % 100 < 10 || i % 100 >= 90)
    assert.equal(lightPart(edge), 0, letter)
    seen.add(pixels.toString('base64'))
  }
  assert.equal(seen.size, alphabet.length + 1)
  assert.deepEqual(await drawn('?'), silhouette)
  assert.deepEqual(await drawn('A陈'), silhouette)
  assert.deepEqual(await drawn('АВ'), await drawn('AB'), 'Cyrillic letters that look the same')
  for (const initials of ['WW', 'ШЩ', 'AB', '陈']) {
    const difference = lightPart(await drawn(initials, 'medium')) - lightPart(await drawn(initials))
    assert.ok(Math.abs(difference) < 0.02, `${initials}: the same picture in both sizes`)
  }
})

test('an initials avatar has the same color as in the web client', async () => {
  const { data } = await sharp(await drawAvatar({ hue: 210, initials: 'A', size: 'small' }))
    .raw()
    .toBuffer({ resolveWithObject: true })
  assert.deepEqual([...data.subarray(0, 3)], [59, 107, 155])
})

test('serves initials avatars in both sizes without sign-in and never as a page', async () => {
  await using w = await world({ chat: { initialsAvatars: true } })
  const { iago, hamlet } = w.people
  for (const full_name of ['Prince Hamlet', 'Юрий Гагарин', '✨✨']) {
    await iago.api.patch(`/users/${hamlet.id}`, { full_name })
    const { avatar_url, avatar_url_medium } = await hamlet.api.post('/register', { fetch_event_types: ['realm_user'] })
    assert.equal(avatar_url_medium, avatar_url.replace('.png', '-medium.png'), 'as the official app derives it')
    for (const [url, pixels] of [
      [avatar_url, 100],
      [avatar_url_medium, 500],
    ]) {
      const answer = await get(w, url)
      assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/png'])
      assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox/)
      assert.match(answer.headers.get('cache-control') ?? '', /immutable/)
      assert.ok(answer.headers.get('etag'))
      const { format, width, height } = await sharp(await answer.arrayBuffer()).metadata()
      assert.deepEqual([format, width, height], ['png', pixels, pixels])
    }
  }
  assert.equal((await get(w, '/user_avatars/1/drawn/7-%3Cscript%3E.png')).status, 404)
})

test('/avatar/{id or email} redirects signed-in users to the image', async () => {
  for (const initialsAvatars of [false, true]) {
    await using w = await world({ chat: { initialsAvatars } })
    const { hamlet, cordelia } = w.people
    const own = await cordelia.api.post('/register', { client_gravatar: false, fetch_event_types: ['realm_user'] })
    assert.match(
      own.avatar_url,
      initialsAvatars ? /\/drawn\// : /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}/,
    )
    for (const who of [String(cordelia.id), cordelia.email, 'CORDELIA@example.com']) {
      for (const [path, url] of [
        [`/avatar/${who}`, own.avatar_url],
        [`/avatar/${encodeURIComponent(who)}/medium`, own.avatar_url_medium],
      ] as const) {
        const answer = await get(w, path, hamlet)
        assert.deepEqual([answer.status, answer.headers.get('location')], [302, url], path)
        assert.equal((await get(w, path)).status, 401)
      }
    }
    for (const path of ['/avatar/nobody@example.com', '/avatar/nobody@example.com/medium']) {
      const stranger = await get(w, path, hamlet)
      assert.equal((await get(w, stranger.headers.get('location')!)).status, 200)
    }
  }
})
