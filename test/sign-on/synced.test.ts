import assert from 'node:assert/strict'
import test from 'node:test'
import { eventually } from '../eventually.ts'
import { onePixelPng } from '../fixtures/images.ts'
import { ann, scene } from './scene.ts'

test('a picture from the provider becomes the avatar after the sign-in, and only when it changes', async () => {
  await using s = await scene({ provider: { sync: ['picture'] } })
  const signIn = async (claims: object) => {
    const browser = s.browser()
    const { status } = await browser.signIn({ ...ann, ...claims })
    assert.equal(status, 302)
    const version = async () => Number((await browser.me()).avatar_version)
    return { version }
  }
  const picture = `${s.fake.issuer}/pictures/ann.png`
  const first = await signIn({})
  const before = await first.version()
  const fetched = () => s.fake.asked.filter((path) => path === '/pictures/ann.png').length
  s.fake.pictures.set('/pictures/ann.png', onePixelPng())
  const { version } = await signIn({ picture })
  await eventually('the avatar changes', async () => (await version()) === before + 1)
  await signIn({ picture })
  await eventually('it is fetched again', async () => fetched() === 2)
  s.fake.pictures.set('/pictures/ann.png', new Uint8Array([1, 2, 3]))
  await signIn({ picture })
  await signIn({ picture: 'http://169.254.169.254/latest' })
  await signIn({ picture: 'not an address' })
  await eventually(
    'problems are logged',
    async () => s.warnings().filter((one) => /the picture/.test(one)).length === 3,
  )
  assert.equal(await version(), before + 1)
})

test('the log says what the provider said about a person who may not sign in', async () => {
  await using s = await scene({ provider: { require: { claim: 'groups', any: ['chat-users'] } } })
  await s.browser().signIn({ ...ann, email_verified: false, groups: ['cooks'] })
  const { details } = s.log.find(({ message }) => /may not sign in/.test(message))!
  assert.deepEqual(details, {
    ...{ reason: 'not_in_group', issuer: s.fake.issuer, email: ann.email, is_verified: false },
    ...{ groups: ['cooks'], roles: undefined, required: ['cooks'] },
  })
})

test('the group "*" is everybody, also if the provider says nothing about groups', async () => {
  await using s = await scene({
    provider: { groups: { '*': 'Everybody', staff: 'Staff' }, channels: { '*': ['#news'] } },
    seed: { groups: { Everybody: [], Staff: [] }, streams: { news: {} } },
  })
  const browser = s.browser()
  await browser.signIn(ann)
  const { user_id } = await browser.me()
  const groups = async () => {
    const { user_groups } = await s.w.iago.api.get('/user_groups')
    return (user_groups as { name: string; members: number[]; is_system_group: boolean }[])
      .filter(({ members, is_system_group }) => !is_system_group && members.includes(user_id as number))
      .map(({ name }) => name)
  }
  assert.deepEqual(await groups(), ['Everybody'])
  await browser.signIn({ ...ann, groups: ['staff'] })
  assert.deepEqual(await groups(), ['Everybody', 'Staff'])
  await browser.signIn({ ...ann, groups: [] })
  assert.deepEqual(await groups(), ['Everybody'])
  const { subscribers } = await s.w.iago.api.get(`/streams/${await s.w.streamId('news')}/members`)
  assert.ok(subscribers.includes(user_id))
})

test('a name that a content filter rejects is replaced in a new account, and ignored in one that exists', async () => {
  await using s = await scene({ provider: { sync: ['name'] } })
  await s.w.iago.api.post('/content_filters', { kind: 'domain', pattern: 'spam.example', action: 'refuse' })
  const first = s.browser()
  await first.signIn({ ...ann, name: 'Buy at spam.example' })
  assert.equal((await first.me()).full_name, 'ann')
  const second = s.browser()
  await second.signIn({ ...ann, name: 'Ann Lee' })
  await second.signIn({ ...ann, name: 'spam.example' })
  assert.equal((await second.me()).full_name, 'Ann Lee')
  assert.match(s.warnings().join('\n'), /the name of an account could not be changed/)
})
