import assert from 'node:assert/strict'
import test from 'node:test'
import { drawAvatar, drawnAvatarUrl, initialsOf } from '../../src/core/users/drawn-avatar.ts'
import { type World, world } from '../../src/testing/index.ts'
import { follow } from '../../src/testing/verify-events.ts'

/** Everything a client is told at the start and of a message, as one text. */
async function told(w: World, client_gravatar: boolean): Promise<string> {
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
    const text = await told(w, client_gravatar)
    assert.ok(!text.includes('gravatar.com'))
    // Nor left to make the address out by itself, which is what null says.
    assert.ok(!text.includes('"avatar_url":null'))
    assert.ok(text.includes('/user_avatars/1/drawn/'))
  }
})

test('With the option, pictures are Gravatars, or null for clients that make out their addresses', async () => {
  await using w = await world({ chat: { gravatar: true } })
  assert.ok((await told(w, false)).includes('https://secure.gravatar.com/avatar/'))
  await using v = await world({ chat: { gravatar: true } })
  const { members } = await v.people.hamlet.api.get('/users', { client_gravatar: true })
  assert.ok(members.every((member: { avatar_url: unknown }) => member.avatar_url === null))
})

test('Who is renamed gets another picture, and clients are told', async () => {
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
