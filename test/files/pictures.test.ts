import assert from 'node:assert/strict'
import test from 'node:test'
import sharp from 'sharp'
import { type Api, type Person, type World, world } from '../../src/testing/index.ts'
import { follow, ofType } from '../../src/testing/verify-events.ts'
import { onePixelPng } from '../fixtures/images.ts'
import { bytesOf, fetchAs, noise, stored, sweepNow } from './files.ts'
import { png } from './images.ts'

const MIB = 1024 * 1024
const red = async (width = 300, height = 200) =>
  Uint8Array.from(
    await sharp({ create: { width, height, channels: 3, background: 'red' } })
      .jpeg()
      .toBuffer(),
  )
const sizeAt = async (w: World, url: string) => {
  const response = await fetchAs(w, undefined, url)
  assert.equal(response.status, 200, url)
  const { width, height, format } = await sharp(Buffer.from(await response.arrayBuffer())).metadata()
  return [format, width, height]
}
const location = async (w: World, who: Person, path: string) =>
  (await fetchAs(w, who, path)).headers.get('location') ?? ''

test('crops an avatar to a square in two sizes and tells everyone', async () => {
  await using w = await world()
  const { hamlet, iago } = w.people
  const client = await follow(() => iago)
  const { avatar_url, ...rest } = await hamlet.api.upload('/users/me/avatar', await red(), 'me.jpg')
  assert.deepEqual(rest, { status: 200, result: 'success', msg: '' })
  assert.match(avatar_url, /^\/user_avatars\/1\/\d+-[\w-]{16}\.png\?version=2$/)
  assert.deepEqual(await sizeAt(w, avatar_url), ['png', 100, 100])
  const medium = await location(w, iago, `/avatar/${hamlet.id}/medium`)
  assert.deepEqual(await sizeAt(w, medium), ['png', 500, 500])
  assert.equal(await location(w, iago, '/avatar/hamlet@example.com'), avatar_url)
  await client.verify()
  const [change] = ofType(client.events, 'realm_user').filter((event) => event.op === 'update')
  assert.deepEqual(change!.person, {
    user_id: hamlet.id,
    avatar_source: 'U',
    avatar_url,
    avatar_url_medium: medium,
    avatar_version: 2,
  })
  assert.equal((await iago.api.get(`/users/${hamlet.id}`)).user.avatar_url, avatar_url)
  const { avatar_url: own, avatar_url_medium } = await hamlet.api.post('/register')
  assert.deepEqual([own, avatar_url_medium], [avatar_url, medium])
  const { id } = await hamlet.says('hello')
  assert.equal((await iago.api.get(`/messages/${id}`)).message.avatar_url, avatar_url)

  const removed = await hamlet.api.delete('/users/me/avatar')
  assert.match(removed.avatar_url, /^https:\/\/secure\.gravatar\.com\//)
  await client.verify()
  assert.equal((await fetchAs(w, undefined, avatar_url)).status, 404)
  await sweepNow(w, 1000)
  assert.equal((await stored(w)).blob, 0)
})

test("avatar addresses can't be guessed by counting", async () => {
  await using w = await world()
  const { avatar_url } = await w.people.hamlet.api.upload('/users/me/avatar', onePixelPng())
  for (const wrong of [
    `/user_avatars/1/${w.people.hamlet.id}.png`,
    avatar_url.replace(/-[\w-]{16}/, '-AAAAAAAAAAAAAAAA'),
    avatar_url.replace(/\d+-/, `${w.people.iago.id}-`),
    '/user_avatars/1/..%2f..%2fx.png',
    '/user_avatars/2/x.png',
  ]) {
    assert.equal((await fetchAs(w, undefined, wrong)).status, 404, wrong)
  }
})

const targets: Record<string, (api: Api, bytes: Uint8Array<ArrayBuffer>) => ReturnType<Api['post']>> = {
  avatar: (api, bytes) => api.upload('/users/me/avatar', bytes),
  icon: (api, bytes) => api.upload('/realm/icon', bytes),
  logo: (api, bytes) => api.upload('/realm/logo?night=false', bytes),
}

for (const [what, send] of Object.entries(targets)) {
  test(`accepts only images as ${what}, by bytes rather than name`, async () => {
    await using w = await world()
    const { api } = w.people.iago
    const bomb = png({ width: 60_000, height: 60_000 })
    const svg = bytesOf('<svg xmlns="http://www.w3.org/2000/svg" width="9" height="9"/>')
    for (const bytes of [bytesOf('x'), svg, onePixelPng().slice(0, 30), bomb, noise(99)]) {
      const { status, code, msg } = await send(api, bytes)
      const refusal = [400, 'BAD_IMAGE', 'Could not decode image; did you upload an image file?']
      assert.deepEqual([status, code, msg], refusal)
    }
    const large = await send(api, noise(5 * MIB + 1))
    assert.deepEqual([large.status, large.msg], [413, 'Uploaded file is larger than the allowed limit of 5 MiB'])
    const path = what === 'avatar' ? '/users/me/avatar' : `/realm/${what}`
    assert.equal((await api.post(path, { night: false })).msg, `You must upload exactly one ${what}.`)
    const two = new FormData()
    for (const name of ['a', 'b']) two.append(name, new Blob([onePixelPng()]), name)
    const response = await fetchAs(w, w.people.iago, `/api/v1${path}?night=false`, { method: 'POST', body: two })
    assert.equal((await response.json()).msg, `You must upload exactly one ${what}.`)
    await sweepNow(w, 1)
    assert.equal((await stored(w)).blob, 0)
    assert.equal((await send(api, onePixelPng())).msg, '')
  })
}

test('only administrators set the icon and logos, and everyone is notified', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const client = await follow(() => hamlet)
  for (const refused of [
    await hamlet.api.upload('/realm/icon', onePixelPng()),
    await hamlet.api.upload('/realm/logo?night=true', onePixelPng()),
    await hamlet.api.delete('/realm/icon'),
    await hamlet.api.delete('/realm/logo', { night: true }),
  ]) {
    assert.deepEqual([refused.status, refused.msg], [400, 'Must be an organization administrator'])
  }
  const { icon_url, ...rest } = await iago.api.upload('/realm/icon', await red())
  assert.deepEqual(rest, { status: 200, result: 'success', msg: '' })
  assert.deepEqual(await sizeAt(w, icon_url), ['png', 100, 100])
  assert.deepEqual(await iago.api.upload('/realm/logo?night=true', await red(2000, 200)), rest)
  assert.deepEqual(await sizeAt(w, await location(w, hamlet, '/api/v1/realm/logo?night=true')), ['png', 800, 80])
  assert.match(await location(w, hamlet, '/api/v1/realm/logo?night=false'), /^\/static\//)
  assert.equal(await location(w, hamlet, '/api/v1/realm/icon'), icon_url)
  await client.verify()
  const events = ofType(client.events, 'realm').map(({ id: _, ...event }) => event)
  const night_logo_url = await location(w, hamlet, '/api/v1/realm/logo?night=true')
  assert.deepEqual(events, [
    { type: 'realm', op: 'update_dict', property: 'icon', data: { icon_url, icon_source: 'U' } },
    { type: 'realm', op: 'update_dict', property: 'night_logo', data: { night_logo_url, night_logo_source: 'U' } },
  ])
  const settings = await (await fetchAs(w, undefined, '/api/v1/server_settings')).json()
  assert.equal(settings.realm_icon, icon_url)
  assert.deepEqual(await iago.api.delete('/realm/icon'), { ...rest, icon_url: '/static/organization/icon.png' })
  assert.deepEqual(await iago.api.delete('/realm/logo', { night: true }), rest)
  await client.verify()
  assert.equal((await fetchAs(w, undefined, icon_url)).status, 404)
  const again = await iago.api.upload('/realm/icon', onePixelPng())
  assert.notEqual(again.icon_url, icon_url, 'another picture has another address')
})

test("an administrator can change an avatar when others can't", async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  await iago.api.patch('/realm', { avatar_changes_disabled: true })
  assert.equal((await iago.api.upload('/users/me/avatar', onePixelPng())).status, 200)
  const refused = await hamlet.api.upload('/users/me/avatar', onePixelPng())
  assert.deepEqual([refused.status, refused.msg], [400, 'Avatar changes are disabled in this organization.'])
})

test('creates a bot with an avatar and replaces it', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const form = (name: string) => {
    const body = new FormData()
    body.append('full_name', name)
    body.append('short_name', 'rob')
    body.append('picture', new Blob([onePixelPng()]), 'x.png')
    return body
  }
  const ask = async (method: string, path: string, body: FormData) =>
    (await fetchAs(w, hamlet, `/api/v1${path}`, { method, body })).json()
  const made = await ask('POST', '/bots', form('Rob'))
  assert.match(made.avatar_url, /^\/user_avatars\/1\/\d+-[\w-]{16}\.png/)
  assert.deepEqual(await sizeAt(w, made.avatar_url), ['png', 100, 100])
  const changed = await ask('PATCH', `/bots/${made.user_id}`, form('Bob'))
  assert.notEqual(changed.avatar_url, made.avatar_url)
  assert.deepEqual(await sizeAt(w, changed.avatar_url), ['png', 100, 100])
})
