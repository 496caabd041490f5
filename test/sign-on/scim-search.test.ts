import assert from 'node:assert/strict'
import test from 'node:test'
import { PATCH, scimScene } from './scim-scene.ts'

const SEARCH = 'urn:ietf:params:scim:api:messages:2.0:SearchRequest'
type Scene = Awaited<ReturnType<typeof scimScene>>

const searching = (s: Scene, path: string, request: object) => s.send('POST', path, { schemas: [SEARCH], ...request })
const group = async (s: Scene, displayName: string, members: readonly number[] = []) =>
  (await s.send('POST', '/Groups', { displayName, members: members.map((id) => ({ value: String(id) })) })).body

test('a search has the filter in its body, and returns what the same query does', async () => {
  await using s = await scimScene()
  const { hamlet } = s.w
  await group(s, 'Staff', [hamlet.id])
  const filter = `userName eq "${hamlet.email}"`
  const found = await searching(s, '/Users/.search', { filter })
  assert.equal(found.status, 200)
  assert.deepEqual(found.body, await s.find(filter))
  const page = await searching(s, '/Users/.search', { startIndex: 2, count: 1 })
  assert.deepEqual(page.body, (await s.send('GET', '/Users?startIndex=2&count=1')).body)
  const groups = await searching(s, '/Groups/.search', { filter: 'displayName eq "staff"' })
  assert.deepEqual(groups.body, (await s.send('GET', '/Groups')).body)
})

test('a search returns the attributes that it asks for', async () => {
  await using s = await scimScene()
  const staff = await group(s, 'Staff', [s.w.hamlet.id])
  const shown = async (path: string, request: object) =>
    (await searching(s, path, { count: 1, ...request })).body.Resources.map(Object.keys)
  assert.deepEqual(await shown('/Users/.search', { attributes: ['userName', 'name.formatted'] }), [
    ['schemas', 'id', 'userName', 'name'],
  ])
  const excluded = await searching(s, '/Groups/.search', { excludedAttributes: ['Members', 'meta'] })
  assert.deepEqual(excluded.body.Resources, [{ schemas: staff.schemas, id: staff.id, displayName: 'Staff' }])
})

test('a search of everything lists users, then groups', async () => {
  await using s = await scimScene()
  const [a, b] = [await group(s, 'A'), await group(s, 'B')]
  const people = (await s.send('GET', '/Users')).body
  const ids = ({ body }: { body: Record<string, { id: string; meta: { resourceType: string } }[]> }) =>
    body.Resources!.map(({ id, meta }) => `${meta.resourceType} ${id}`)
  const all = await searching(s, '/.search', {})
  const expected = [...people.Resources.map(({ id }: { id: string }) => `User ${id}`), `Group ${a.id}`, `Group ${b.id}`]
  assert.deepEqual(ids(all as never), expected)
  assert.equal(all.body.totalResults, expected.length)
  for (let at = 0; at < expected.length; at++) {
    const page = await searching(s, '/.search', { startIndex: at + 1, count: 2 })
    assert.deepEqual([ids(page as never), page.body.totalResults], [expected.slice(at, at + 2), expected.length])
  }
  // Groups have no user name, and users no name of a group.
  const { body } = await searching(s, '/.search', { filter: `userName eq "${s.w.hamlet.email}"` })
  assert.deepEqual([body.totalResults, body.Resources[0].id], [1, String(s.w.hamlet.id)])
  assert.deepEqual(ids((await searching(s, '/.search', { filter: 'displayName eq "b"' })) as never), [`Group ${b.id}`])
})

test('a search that is not understood finds nobody', async () => {
  await using s = await scimScene()
  for (const [request, scimType] of [
    [{ filter: 'userName pr' }, 'invalidFilter'],
    [{ filter: 7 }, 'invalidValue'],
    [{ startIndex: '1' }, 'invalidValue'],
    [{ attributes: 'userName' }, 'invalidValue'],
    [{ attributes: [{}] }, 'invalidValue'],
  ] as const)
    for (const path of ['/.search', '/Users/.search', '/Groups/.search']) {
      const { status, body } = await searching(s, path, request)
      assert.deepEqual([status, body.scimType], [400, scimType], `${path} ${JSON.stringify(request)}`)
    }
  const { api_key } = await s.owner.api.post('/users/me/api_keys', {
    ...{ name: 'Users', scopes: ['provision'], password: s.owner.password },
  })
  assert.equal((await s.send('POST', '/Users/.search', {}, api_key)).status, 200)
  for (const path of ['/.search', '/Groups/.search'])
    assert.equal((await s.send('POST', path, {}, api_key)).status, 403, path)
})

test('a version protects changes of somebody else, and saves reading what is known', async () => {
  await using s = await scimScene()
  const { hamlet, cordelia } = s.w
  const user = (await s.send('POST', '/Users', { userName: 'ann@example.com', displayName: 'Ann Lee' })).body
  const staff = await group(s, 'Staff', [hamlet.id])
  const add = [{ op: 'add', path: 'members', value: [{ value: String(cordelia.id) }] }]
  const change = [{ op: 'replace', path: 'displayName', value: 'Ann Smith' }]
  for (const [path, { meta }, Operations] of [
    [`/Users/${user.id}`, user, change],
    [`/Groups/${staff.id}`, staff, add],
  ] as const) {
    const read = (etag: string) => s.send('GET', path, undefined, s.key, { 'if-none-match': etag })
    const write = (etag: string) => s.send('PATCH', path, { schemas: [PATCH], Operations }, s.key, { 'if-match': etag })
    assert.match(meta.version, /^W\/"[\w-]{16}"$/)
    const same = await read(meta.version)
    assert.deepEqual([same.status, same.headers.get('etag'), same.body], [304, meta.version, {}])
    const changed = await write(`"other", ${meta.version}`)
    assert.equal(changed.status, 200)
    assert.notEqual(changed.body.meta.version, meta.version)
    assert.equal(changed.headers.get('etag'), changed.body.meta.version)
    assert.equal((await read(meta.version)).status, 200)
    const late = await write(meta.version)
    assert.deepEqual([late.status, late.body.status], [412, '412'])
    const { body } = await s.send('GET', path)
    const old = { 'if-match': meta.version }
    assert.equal((await s.send('PUT', path, body, s.key, old)).status, 412)
    assert.equal((await s.send('DELETE', path, undefined, s.key, old)).status, 412)
    assert.deepEqual((await s.send('GET', path)).body, body)
    assert.equal((await s.send('PUT', path, body, s.key, { 'if-match': '*' })).status, 200)
    assert.equal((await s.send('DELETE', path, undefined, s.key, { 'if-match': body.meta.version })).status, 204)
  }
  assert.equal((await s.send('GET', '/ServiceProviderConfig')).body.etag.supported, true)
})

test('a list of groups without members has the same versions', async () => {
  await using s = await scimScene()
  await group(s, 'Staff', [s.w.hamlet.id])
  const versions = async (query: string) =>
    (await s.send('GET', `/Groups${query}`)).body.Resources.map(({ meta }: { meta: object }) => meta)
  assert.deepEqual(await versions('?excludedAttributes=members'), await versions(''))
})
