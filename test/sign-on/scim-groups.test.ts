import assert from 'node:assert/strict'
import test from 'node:test'
import { onlyOnSqlite } from '../dialect.ts'
import { countingTurns, crowd, fill, ORIGIN, PATCH, scimScene } from './scim-scene.ts'

const SCHEMA = 'urn:ietf:params:scim:schemas:core:2.0:Group'
type Scene = Awaited<ReturnType<typeof scimScene>>

const members = ({ body }: { body: { members: { value: string }[] } }) => body.members.map(({ value }) => Number(value))
const create = (s: Scene, displayName = 'Staff', more: object = {}) =>
  s.send('POST', '/Groups', { schemas: [SCHEMA], displayName, ...more })
const patch = (s: Scene, id: unknown, ...Operations: object[]) =>
  s.send('PATCH', `/Groups/${id}`, { schemas: [PATCH], Operations })

test('a group is created, found, filled, renamed and deactivated, as Okta does it', async () => {
  await using s = await scimScene()
  const { hamlet, cordelia } = s.w
  const created = await create(s, 'Staff', { members: [{ value: String(hamlet.id), display: 'Hamlet' }] })
  assert.equal(created.status, 201, JSON.stringify(created.body))
  const { id, meta } = created.body
  assert.equal(meta.location, `${ORIGIN}/scim/v2/Groups/${id}`)
  assert.deepEqual(members(created as never), [hamlet.id])
  const query = new URLSearchParams({ filter: 'displayName eq "STAFF"', startIndex: '1', count: '100' })
  const found = (await s.send('GET', `/Groups?${query}`)).body
  assert.deepEqual([found.totalResults, found.Resources[0].id, found.Resources[0].members.length], [1, id, 1])
  const added = await patch(s, id, { op: 'add', path: 'members', value: [{ value: String(cordelia.id) }] })
  assert.deepEqual(members(added as never), [hamlet.id, cordelia.id])
  const removed = await patch(s, id, { op: 'remove', path: `members[value eq "${hamlet.id}"]` })
  assert.deepEqual(members(removed as never), [cordelia.id])
  const renamed = await patch(s, id, { op: 'replace', value: { id, displayName: 'Everybody' } })
  assert.equal(renamed.body.displayName, 'Everybody')
  const { user_groups } = await s.owner.api.get('/user_groups')
  const here = user_groups.find((group: { name: string }) => group.name === 'Everybody')
  assert.deepEqual([String(here.id), here.members], [id, [cordelia.id]])
  assert.equal((await s.send('DELETE', `/Groups/${id}`)).status, 204)
  assert.equal((await s.send('GET', `/Groups/${id}`)).status, 404)
  const { entries } = await s.owner.api.get('/audit', { num: 20 })
  const acts = entries.map(({ action }: { action: string }) => action)
  assert.deepEqual(acts.slice(0, 2), ['deactivateScimGroup', 'patchScimGroup'])
})

test('accepts what Entra sends: capitalized operations, and requests without members', async () => {
  await using s = await scimScene()
  const { hamlet, cordelia } = s.w
  const { id } = (await create(s, 'Ops', { externalId: 'from Entra', members: [] })).body
  const both = [hamlet, cordelia].map((one) => ({ value: String(one.id) }))
  assert.equal((await patch(s, id, { op: 'Add', path: 'members', value: both })).status, 200)
  await patch(s, id, { op: 'Remove', path: 'members', value: [{ value: String(hamlet.id) }] })
  const shown = await s.send('GET', `/Groups/${id}?excludedAttributes=members`)
  assert.equal(shown.body.members, undefined)
  assert.deepEqual(members((await s.send('GET', `/Groups/${id}`)) as never), [cordelia.id])
  const replaced = await s.send('PUT', `/Groups/${id}`, { schemas: [SCHEMA], displayName: 'Ops', members: both })
  assert.deepEqual(members(replaced as never), [hamlet.id, cordelia.id])
  assert.deepEqual(members((await patch(s, id, { op: 'remove', path: 'members' })) as never), [])
})

test('rejects invalid group members and attributes, and changes nothing', async () => {
  await using s = await scimScene({ people: { helper: { bot: true } } })
  const { hamlet, helper } = s.w as Scene['w'] & { helper: { id: number } }
  const { id } = (await create(s, 'Staff', { members: [{ value: String(hamlet.id) }] })).body
  assert.deepEqual([(await create(s)).status, (await create(s)).body.scimType], [409, 'uniqueness'])
  for (const [document, scimType] of [
    [{}, 'invalidValue'],
    [{ displayName: 'role:owners' }, 'invalidValue'],
    [{ displayName: 'X', members: [{ value: '999' }] }, 'invalidValue'],
    [{ displayName: 'X', members: [{ value: String(helper.id) }] }, 'invalidValue'],
    [{ displayName: 'X', members: [{ value: "1' or" }] }, 'invalidValue'],
  ] as const) {
    const answer = await s.send('POST', '/Groups', document)
    assert.deepEqual([answer.status, answer.body.scimType], [400, scimType], JSON.stringify(document))
  }
  const half = [
    { op: 'remove', path: 'members' },
    { op: 'add', path: 'members', value: [{ value: '999' }] },
  ]
  assert.equal((await patch(s, id, ...half)).status, 400)
  assert.deepEqual(members((await s.send('GET', `/Groups/${id}`)) as never), [hamlet.id])
  for (const filter of ['displayName co "S"', 'members eq "1"', 'displayName eq "a" or id eq "1"', 'x'])
    assert.equal((await s.send('GET', `/Groups?${new URLSearchParams({ filter })}`)).body.scimType, 'invalidFilter')
  const system = (await s.owner.api.get('/user_groups')).user_groups.find(
    (group: { is_system_group: boolean }) => group.is_system_group,
  )
  assert.equal((await s.send('GET', `/Groups/${system.id}`)).status, 404)
})

test('a key for accounts alone, such as one from before groups, neither sees nor changes groups', async () => {
  await using s = await scimScene()
  const { id } = (await create(s)).body
  const { api_key } = await s.owner.api.post('/users/me/api_keys', {
    ...{ name: 'users', scopes: ['provision'], password: s.owner.password },
  })
  const send = (method: string, path: string, document?: object) => s.send(method, path, document, api_key)
  for (const answer of [
    await send('GET', '/Groups'),
    await send('GET', `/Groups/${id}`),
    await send('POST', '/Groups', { displayName: 'Crew' }),
    await send('PUT', `/Groups/${id}`, { displayName: 'Crew', members: [] }),
    await send('PATCH', `/Groups/${id}`, { schemas: [PATCH], Operations: [] }),
    await send('DELETE', `/Groups/${id}`),
  ])
    assert.deepEqual(
      [answer.status, answer.body.detail],
      [403, 'This API key is limited. The request needs a key with the scope "provision_groups"'],
    )
  assert.equal((await send('GET', '/Users')).status, 200)
  assert.equal((await send('GET', '/ServiceProviderConfig')).status, 200)
})

test('a page of groups ends after 10,000 members, is read and sent in turns, and the next page continues', async () => {
  await using s = await scimScene()
  const people = await crowd(s, 6000)
  for (const name of ['A', 'B', 'C']) await fill(s, (await create(s, name)).body.id, people)
  const { turns, result } = await countingTurns(() => s.send('GET', '/Groups'))
  const { totalResults, itemsPerPage, Resources } = result.body
  assert.deepEqual([totalResults, itemsPerPage], [3, 2])
  assert.deepEqual(
    Resources.map((one: { displayName: string; members: object[] }) => [one.displayName, one.members.length]),
    [
      ['A', 6000],
      ['B', 6000],
    ],
  )
  assert.ok(turns > 10, `${turns} turns`)
  const rest = (await s.send('GET', `/Groups?startIndex=${itemsPerPage + 1}`)).body
  assert.deepEqual([rest.itemsPerPage, rest.Resources[0].displayName], [1, 'C'])
  const bare = (await s.send('GET', '/Groups?excludedAttributes=members')).body
  assert.deepEqual([bare.itemsPerPage, bare.Resources[0].members], [3, undefined])
})

const turnsCount = onlyOnSqlite('turns of the event loop, which wait for each statement elsewhere')
test('a change of a large group lets others have their turn while its answer is read', turnsCount, async () => {
  await using s = await scimScene()
  const people = await crowd(s, 4000)
  const { id } = (await create(s)).body
  await fill(s, id, people)
  const value = [{ value: String(s.w.hamlet.id) }]
  const read = await countingTurns(() => s.send('GET', `/Groups/${id}`))
  for (const op of ['add', 'remove']) {
    const { turns, result } = await countingTurns(() => patch(s, id, { op, path: 'members', value }))
    assert.equal(result.body.members.length, op === 'add' ? 4001 : 4000)
    assert.ok(turns >= read.turns, `${turns} turns, ${read.turns} for reading alone`)
  }
  const members = people.slice(0, 10).map((one) => ({ value: String(one) }))
  const replaced = await s.send('PUT', `/Groups/${id}`, { displayName: 'Staff', members })
  assert.equal(replaced.body.members.length, 10)
})

test('the operations of a patch apply in their order, and only their result must be valid', async () => {
  await using s = await scimScene()
  const { hamlet, cordelia, iago } = s.w
  const { id } = (await create(s, 'Staff', { members: [{ value: String(hamlet.id) }] })).body
  const value = (...ids: number[]) => ids.map((one) => ({ value: String(one) }))
  const answer = await patch(
    s,
    id,
    { op: 'add', path: 'members', value: value(cordelia.id, iago.id) },
    { op: 'replace', path: 'displayName', value: 'Crew' },
    { op: 'remove', path: `members[value eq "${iago.id}"]` },
    { op: 'replace', path: 'displayName', value: 'Staff' },
  )
  assert.deepEqual([answer.body.displayName, members(answer as never)], ['Staff', [hamlet.id, cordelia.id]])
})

test('bots in a group are hidden, and stay in it', async () => {
  await using s = await scimScene({ people: { helper: { bot: true } } })
  const { hamlet, helper } = s.w as Scene['w'] & { helper: { id: number } }
  const { group_id } = await s.owner.api.post('/user_groups/create', {
    ...{ name: 'Mixed', description: '', members: [hamlet.id, helper.id] },
  })
  assert.deepEqual(members((await s.send('GET', `/Groups/${group_id}`)) as never), [hamlet.id])
  await s.send('PUT', `/Groups/${group_id}`, { displayName: 'Mixed', members: [] })
  const { user_groups } = await s.owner.api.get('/user_groups')
  assert.deepEqual(user_groups.find((group: { id: number }) => group.id === group_id).members, [helper.id])
})

test('a group that was deactivated can be pushed again, and its name is free for another', async () => {
  await using s = await scimScene()
  const { id } = (await create(s, 'Staff')).body
  assert.equal((await s.send('DELETE', `/Groups/${id}`)).status, 204)
  const again = await create(s, 'Staff')
  assert.equal(again.status, 201, JSON.stringify(again.body))
  assert.equal((await s.send('DELETE', `/Groups/${again.body.id}`)).status, 204)
  const { body } = await create(s, 'Crew')
  const renamed = await patch(s, body.id, { op: 'replace', path: 'displayName', value: 'Staff' })
  assert.equal(renamed.body.displayName, 'Staff')
})
