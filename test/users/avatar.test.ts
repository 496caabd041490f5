import assert from 'node:assert/strict'
import test from 'node:test'
import { drawAvatar, drawnAvatarUrl, initialsOf } from '../../src/core/avatars/drawn-avatar.ts'
import { createApp } from '../../src/http/index.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { follow } from '../../src/testing/verify-events.ts'

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

test('No client is sent to gravatar.com unless the server is asked to', async () => {
  for (const client_gravatar of [true, false]) {
    await using w = await world({ people: { robot: { bot: true } } })
    const text = await detail(w, client_gravatar)
    assert.ok(!text.includes('gravatar.com'))
    // Null would mean that clients compute the address themselves.
    assert.ok(!text.includes('"avatar_url":null'))
    assert.ok(text.includes('/user_avatars/1/drawn/'))
  }
})

test('With the option, pictures are Gravatars, or null for clients that make out their addresses', async () => {
  await using w = await world({ chat: { gravatar: true } })
  assert.ok((await detail(w, false)).includes('https://secure.gravatar.com/avatar/'))
  await using v = await world({ chat: { gravatar: true } })
  const { members } = await v.people.hamlet.api.get('/users', { client_gravatar: true })
  assert.ok(members.every((member: { avatar_url: unknown }) => member.avatar_url === null))
})

test('A renamed user gets another avatar, and clients an event', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const clients = [await follow(() => hamlet), await follow(() => iago)]
  await iago.api.patch(`/users/${hamlet.id}`, { full_name: 'Yorick Smith' })
  for (const client of clients) await client.verify()
  const { user } = await iago.api.get(`/users/${hamlet.id}`)
  assert.match(user.avatar_url, /\/\d+-YS\.svg$/)
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
  test(`The initials of '${name}' are ${expected}`, () => {
    assert.equal(initialsOf(name), expected)
    const file = decodeURIComponent(drawnAvatarUrl({ id: 7, full_name: name }).split('/').at(-1)!)
    assert.ok(drawAvatar(file)?.includes(`>${expected}</text>`), file)
  })
}

test('Neighbours have different colours', () => {
  const colours = Array.from({ length: 50 }, (_, i) => drawnAvatarUrl({ id: i, full_name: 'x' }))
  assert.equal(new Set(colours).size, 50)
})

test('Nothing can be smuggled into a picture', () => {
  for (const file of [
    '7-<>.svg',
    '7-a<.svg',
    '7-&.svg',
    '999-A.svg',
    '-1-A.svg',
    '7-ABC.svg',
    '7-.svg',
    '7-A.svg/x',
    '',
  ]) {
    assert.equal(drawAvatar(file), undefined, file)
  }
})

async function get(w: World, path: string, who?: Person): Promise<Response> {
  const authorization = who && `Basic ${Buffer.from(`${who.email}:${who.key}`).toString('base64')}`
  const request = new Request(new URL(path, 'http://localhost'), { headers: authorization ? { authorization } : {} })
  return createApp({ chat: w.chat, rateLimit: false }).fetch(request)
}

test('The picture of an address is served without signing in, and never runs as a page', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  for (const full_name of ['Prince Hamlet', 'Юрий Гагарин', '✨✨']) {
    await iago.api.patch(`/users/${hamlet.id}`, { full_name })
    const { avatar_url } = await hamlet.api.get('/users/me')
    const answer = await get(w, avatar_url)
    assert.deepEqual([answer.status, answer.headers.get('content-type')], [200, 'image/svg+xml'])
    assert.match(answer.headers.get('content-security-policy') ?? '', /sandbox/)
    assert.match(await answer.text(), /^<svg .*<\/svg>$/)
  }
  assert.equal((await get(w, '/user_avatars/1/drawn/7-%3Cscript%3E.svg')).status, 404)
})

test('/avatar/{id or e-mail} leads to the picture, for who has signed in', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const { user } = await hamlet.api.get(`/users/${cordelia.id}`, { client_gravatar: false })
  for (const who of [String(cordelia.id), cordelia.email, 'CORDELIA@example.com']) {
    for (const path of [`/avatar/${who}`, `/avatar/${encodeURIComponent(who)}/medium`]) {
      const answer = await get(w, path, hamlet)
      assert.deepEqual([answer.status, answer.headers.get('location')], [302, user.avatar_url], path)
      assert.equal((await get(w, path)).status, 401)
    }
  }
  const stranger = await get(w, '/avatar/nobody@example.com', hamlet)
  assert.equal((await get(w, stranger.headers.get('location')!)).status, 200)
  await using v = await world({ chat: { gravatar: true } })
  const gravatar = await get(v, `/avatar/${v.people.hamlet.id}`, v.people.hamlet)
  assert.match(gravatar.headers.get('location') ?? '', /^https:\/\/secure\.gravatar\.com\/avatar\/[0-9a-f]{32}/)
})
