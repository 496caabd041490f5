import assert from 'node:assert/strict'
import test from 'node:test'
import { apiOf } from '../../src/testing/index.ts'
import { randomOf } from './scim-random.ts'
import { type Answer, ERROR, ORIGIN, scimScene } from './scim-scene.ts'

const ann = {
  schemas: ['urn:ietf:params:scim:schemas:core:2.0:User'],
  userName: 'ann@example.com',
  externalId: '00u1',
  name: { givenName: 'Ann', familyName: 'Lee' },
  emails: [{ primary: true, value: 'ann@example.com', type: 'work' }],
  displayName: 'Ann Lee',
  active: true,
  groups: [],
}

test('a person is created, found, changed, deactivated and activated, as Okta does it', async () => {
  await using s = await scimScene()
  assert.equal((await s.find('userName eq "ann@example.com"')).totalResults, 0)
  const created = await s.send('POST', '/Users', ann)
  assert.equal(created.status, 201, JSON.stringify(created.body))
  const { id } = created.body
  assert.equal(created.headers.get('location'), `${ORIGIN}/scim/v2/Users/${id}`)
  assert.match(created.headers.get('content-type')!, /^application\/scim\+json/)
  const { meta, ...shown } = created.body
  assert.equal(meta.resourceType, 'User')
  assert.deepEqual(shown, {
    schemas: ann.schemas,
    id,
    externalId: '00u1',
    userName: 'ann@example.com',
    name: { formatted: 'Ann Lee' },
    displayName: 'Ann Lee',
    emails: [{ value: 'ann@example.com', type: 'work', primary: true }],
    active: true,
    roles: [{ value: 'member', primary: true }],
  })
  assert.deepEqual((await s.find('userName eq "ANN@example.com"')).Resources[0].id, id)
  const put = await s.send('PUT', `/Users/${id}`, { ...ann, name: { givenName: 'Anna', familyName: 'Lee' } })
  assert.deepEqual([put.status, put.body.displayName], [200, 'Anna Lee'])
  const off = await s.patch(id, { op: 'replace', value: { active: false } })
  assert.deepEqual([off.status, off.body.active], [200, false])
  assert.equal((await s.patch(id, { op: 'replace', value: { active: true } })).body.active, true)
  assert.equal((await s.send('DELETE', `/Users/${id}`)).status, 204)
  assert.equal((await s.send('GET', `/Users/${id}`)).body.active, false)
  const { entries } = await s.owner.api.get('/audit', { subject_kind: 'user', subject_id: Number(id) })
  assert.deepEqual(
    (entries as { action: string }[]).map(({ action }) => action),
    ['deactivateScimUser', 'patchScimUser', 'patchScimUser', 'replaceScimUser', 'createScimUser'],
  )
})

test('the forms that Entra sends are understood', async () => {
  await using s = await scimScene()
  const { id } = (await s.send('POST', '/Users', ann)).body
  const patched = await s.patch(
    id,
    { op: 'Replace', path: 'active', value: 'False' },
    { op: 'Add', path: 'emails[type eq "work"].value', value: 'ann@example.com' },
    { op: 'Replace', value: { 'name.givenName': 'Annika', displayName: 'ignored for the parts', title: 'Boss' } },
    { op: 'Add', path: 'urn:ietf:params:scim:schemas:extension:enterprise:2.0:User:department', value: 'X' },
    { op: 'Replace', path: 'urn:ietf:params:scim:schemas:core:2.0:User:externalId', value: 'guid' },
  )
  assert.equal(patched.status, 200, JSON.stringify(patched.body))
  const { active, displayName, externalId } = patched.body
  assert.deepEqual([active, displayName, externalId], [false, 'Annika Lee', 'guid'])
  assert.equal((await s.find('externalId eq "guid"')).totalResults, 1)
  assert.equal((await s.patch(id, { op: 'Remove', path: 'externalId' })).body.externalId, undefined)
  assert.equal((await s.patch(id, { op: 'Replace', path: 'userName', value: 'kim@example.com' })).status, 200)
  assert.equal(
    (await s.patch(id, { op: 'Add', path: 'roles', value: [{ value: 'moderator' }] })).body.roles[0].value,
    'moderator',
  )
})

test('deactivation ends sessions and keys, also of bots, and the person can come back', async () => {
  await using s = await scimScene()
  const { hamlet } = s.w
  const bot = await hamlet.api.post('/bots', { full_name: 'Bot', short_name: 'bot' })
  assert.equal((await s.send('DELETE', `/Users/${hamlet.id}`)).status, 204)
  assert.equal((await hamlet.api.get('/users/me')).code, 'USER_DEACTIVATED')
  const { members } = await s.owner.api.get('/users')
  const { is_active } = (members as { user_id: number; is_active: boolean }[]).find(
    (one) => one.user_id === bot.user_id,
  )!
  assert.equal(is_active, false)
  await s.patch(hamlet.id, { op: 'replace', path: 'active', value: true })
  assert.equal((await hamlet.api.get('/users/me')).code, 'INVALID_API_KEY')
})

test('owners and emergency accounts are left alone, and nobody is made an owner', async () => {
  const signOn = {
    config: {
      providers: [{ name: 'okta', preset: 'okta', issuer: 'https://x.okta.com', client_id: 'x' }],
      break_glass: ['hamlet@example.com'],
    },
  }
  await using s = await scimScene({ chat: { signOn } })
  for (const id of [s.owner.id, s.w.hamlet.id]) {
    assert.equal((await s.send('DELETE', `/Users/${id}`)).status, 403)
    assert.equal((await s.patch(id, { op: 'replace', path: 'displayName', value: 'Somebody Else' })).status, 403)
    // The same value is no change.
    assert.equal((await s.patch(id, { op: 'replace', path: 'active', value: true })).status, 200)
  }
  const { status, body } = await s.patch(s.w.cordelia.id, { op: 'replace', path: 'role', value: 'owner' })
  assert.deepEqual([status, body.scimType], [400, 'invalidValue'])
})

test('errors have the form of SCIM', async () => {
  await using s = await scimScene()
  await s.send('POST', '/Users', ann)
  const cases: [Answer, number, string | undefined][] = [
    [await s.send('POST', '/Users', { ...ann, externalId: 'y' }), 409, 'uniqueness'],
    [await s.send('POST', '/Users', { ...ann, userName: 'b@example.com' }), 409, 'uniqueness'],
    [await s.send('POST', '/Users', { ...ann, userName: 'no address', externalId: 'z' }), 400, 'invalidValue'],
    [await s.send('POST', '/Users', { ...ann, userName: 'c@example.com', active: false }), 400, 'invalidValue'],
    [await s.send('POST', '/Users', { userName: 'd@example.com' }), 400, 'invalidValue'],
    [await s.send('POST', '/Users', '{'), 400, 'invalidSyntax'],
    [await s.send('POST', '/Users', '[]'), 400, 'invalidSyntax'],
    [await s.send('POST', '/Users', `{"a":${'['.repeat(5000)}${']'.repeat(5000)}}`), 400, 'invalidSyntax'],
    [await s.send('GET', '/Users/999999'), 404, undefined],
    [await s.send('GET', '/Bulk'), 404, undefined],
    [await s.patch(s.w.hamlet.id, { op: 'move', path: 'active' }), 400, 'invalidSyntax'],
    [await s.patch(s.w.hamlet.id), 400, 'invalidSyntax'],
    [await s.patch(s.w.hamlet.id, { op: 'remove' }), 400, 'invalidPath'],
    [await s.patch(s.w.hamlet.id, { op: 'remove', path: 'userName' }), 400, 'mutability'],
    [await s.patch(s.w.hamlet.id, { op: 'replace', path: 'active', value: 'perhaps' }), 400, 'invalidValue'],
    [await s.send('GET', '/Users', undefined, 'wrong'), 401, undefined],
    [await s.send('GET', '/Users', undefined, s.w.hamlet.key), 400, undefined],
  ]
  for (const [{ status, body, headers }, expected, scimType] of cases) {
    assert.deepEqual([status, body.scimType], [expected, scimType], JSON.stringify(body))
    assert.deepEqual([body.schemas, body.status, typeof body.detail], [[ERROR], String(expected), 'string'])
    assert.match(headers.get('content-type')!, /^application\/scim\+json/)
    assert.equal(body.result, undefined)
  }
})

test('pages and filters', async () => {
  await using s = await scimScene()
  const all = (await s.send('GET', '/Users?count=1000')).body
  assert.equal(all.Resources.length, all.totalResults)
  const ids = all.Resources.map(({ id }: { id: string }) => id)
  const page = (await s.send('GET', '/Users?startIndex=2&count=2&excludedAttributes=members')).body
  assert.deepEqual(
    [page.totalResults, page.startIndex, page.itemsPerPage, page.Resources.map(({ id }: { id: string }) => id)],
    [all.totalResults, 2, 2, ids.slice(1, 3)],
  )
  assert.equal((await s.send('GET', '/Users?count=0')).body.Resources.length, 0)
  const { hamlet } = s.w
  for (const filter of [
    `id eq "${hamlet.id}"`,
    `userName eq "hamlet@example.com" and active eq true`,
    `emails.value eq "hamlet@example.com"`,
    `emails[type eq "work"].value eq "hamlet@example.com"`,
    `urn:ietf:params:scim:schemas:core:2.0:User:userName eq "hamlet@example.com"`,
  ]) {
    const { totalResults, Resources } = await s.find(filter)
    assert.deepEqual([filter, totalResults, Resources?.[0].id], [filter, 1, String(hamlet.id)])
  }
  // A filter that isn't understood never means everybody.
  for (const filter of [
    '',
    'userName',
    'userName sw "h"',
    'userName eq hamlet',
    'userName eq "a" or userName eq "b"',
    'userName eq "hamlet@example.com" and',
    'not (userName eq "a")',
    'password eq "x"',
    '__proto__ eq "x"',
    'constructor eq "x"',
    'userName eq "a""',
    `userName eq "${'a'.repeat(2000)}"`,
    `${'('.repeat(900)}userName eq "a"`,
  ]) {
    const { scimType } = await s.find(filter)
    assert.deepEqual([filter.slice(0, 40), scimType], [filter.slice(0, 40), 'invalidFilter'])
  }
  const bots = await s.w.hamlet.api.post('/bots', { full_name: 'Bot', short_name: 'bot' })
  assert.equal((await s.send('GET', `/Users/${bots.user_id}`)).status, 404)
})

test('only a key for provisioning works, and it works for nothing else', async () => {
  await using s = await scimScene()
  const own = apiOf(s.w.chat, { email: s.owner.email, key: s.key })
  assert.equal((await own.get('/users')).code, 'INSUFFICIENT_SCOPE')
  const { api_key } = await s.owner.api.post('/users/me/api_keys', {
    ...{ name: 'x', scopes: ['manage'], password: s.owner.password },
  })
  assert.equal((await s.send('GET', '/Users', undefined, api_key)).status, 403)
  const refused = await s.w.hamlet.api.post('/users/me/api_keys', {
    ...{ name: 'x', scopes: ['provision'], password: s.w.hamlet.password },
  })
  assert.equal(refused.status, 400)
  for (const path of ['/ServiceProviderConfig', '/ResourceTypes', '/Schemas'])
    assert.equal((await s.send('GET', path)).status, 200)
})

test('attack: random documents get an error of SCIM or a change, and never a failure', async () => {
  await using s = await scimScene()
  const { id } = (await s.send('POST', '/Users', ann)).body
  const next = randomOf(1)
  for (let round = 0; round < 400; round++) {
    const [method, path, document] = next(id)
    const { status, body } = await s.send(method, path, document)
    assert.ok(status < 500, `${method} ${path} ${JSON.stringify(document)}: ${JSON.stringify(body)}`)
    if (status >= 400) assert.deepEqual(body.schemas, [ERROR])
  }
  const { members } = await s.owner.api.get('/users')
  const owners = (members as { role: number; is_active: boolean }[]).filter(({ role }) => role === 100)
  assert.ok(owners.every(({ is_active }) => is_active))
})

test('values that are objects where texts belong are rejected', async () => {
  await using s = await scimScene()
  const { body } = await s.send('POST', '/Users', ann)
  const odd = { toString: 1, valueOf: 1 }
  for (const operation of [
    { op: odd, path: 'active', value: true },
    { op: 'replace', path: 'active', value: odd },
    { op: 'replace', path: 'roles', value: [{ value: odd }] },
    { op: 'replace', path: 'roles', value: [[odd]] },
  ]) {
    assert.equal((await s.patch(body.id, operation)).status, 400, JSON.stringify(operation))
  }
})

test('a changed address must be in an allowed domain, like a new one', async () => {
  await using s = await scimScene()
  const { id } = (await s.send('POST', '/Users', ann)).body
  await s.owner.api.post('/realm/domains', { domain: 'example.com', allow_subdomains: false })
  await s.owner.api.patch('/realm', { emails_restricted_to_domains: true })
  const moved = await s.patch(id, { op: 'replace', path: 'userName', value: 'ann@elsewhere.example' })
  assert.deepEqual([moved.status, moved.body.scimType], [400, 'invalidValue'])
  assert.equal((await s.send('GET', `/Users/${id}`)).body.userName, 'ann@example.com')
  assert.equal((await s.patch(id, { op: 'replace', path: 'userName', value: 'lee@example.com' })).status, 200)
})

test('a filter has pages, too, and counts all that it admits', async () => {
  await using s = await scimScene()
  for (const name of ['a', 'b', 'c'])
    await s.send('POST', '/Users', { ...ann, userName: `${name}@example.com`, externalId: name })
  const all = (await s.send('GET', '/Users')).body
  const query = new URLSearchParams({ filter: 'active eq "true"', startIndex: '3', count: '2' })
  const page = (await s.send('GET', `/Users?${query}`)).body
  assert.deepEqual(page.Resources, all.Resources.slice(2, 4))
  assert.equal(page.totalResults, all.totalResults)
  assert.equal((await s.find('externalId eq "b"')).Resources[0].userName, 'b@example.com')
  const none = (await s.send('GET', '/Users?count=0')).body
  assert.deepEqual([none.totalResults, none.Resources], [all.totalResults, []])
})
