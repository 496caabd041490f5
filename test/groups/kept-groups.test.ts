import assert from 'node:assert/strict'
import test from 'node:test'
import { listGroups, register } from '../../src/index.ts'
import { type Person, world } from '../../src/testing/index.ts'

const DAY_MS = 86_400_000

/** The groups of a new client, by name. */
async function groupsFor(who: Person) {
  const { realm_user_groups = [] } = await register(who, { fetch_event_types: ['realm_user_groups'] })
  return new Map(realm_user_groups.map((group) => [group.name, group]))
}

test("register's cached groups follow changes of groups, members and accounts", async () => {
  await using w = await world({})
  const { iago, hamlet, cordelia } = w.people
  const done = async (answer: Promise<{ result: string; msg: string }>) => {
    const { result, msg } = await answer
    assert.equal(result, 'success', msg)
    // The cached values equal the tables, for every reader.
    const { user_groups } = await listGroups(iago, {})
    assert.deepEqual([...(await groupsFor(hamlet)).values()], user_groups)
    assert.deepEqual([...(await groupsFor(iago)).values()], user_groups)
  }
  const { api } = iago
  await done(api.post('/user_groups/create', { name: 'cooks', description: '', members: [hamlet.id] }))
  await done(api.post('/user_groups/create', { name: 'bakers', description: '', members: [] }))
  const cooks = await w.groupId('cooks')
  const bakers = await w.groupId('bakers')
  await done(api.post(`/user_groups/${cooks}/members`, { add: [cordelia.id] }))
  assert.deepEqual(
    (await groupsFor(hamlet)).get('cooks')!.members,
    [hamlet.id, cordelia.id].sort((a, b) => a - b),
  )
  await done(api.patch(`/user_groups/${cooks}`, { name: 'chefs', description: 'They cook.' }))
  assert.equal((await groupsFor(hamlet)).get('chefs')!.description, 'They cook.')
  await done(api.post(`/user_groups/${cooks}/subgroups`, { add: [bakers] }))
  assert.deepEqual((await groupsFor(hamlet)).get('chefs')!.direct_subgroup_ids, [bakers])
  await done(api.post(`/user_groups/${cooks}/subgroups`, { delete: [bakers] }))
  await done(api.post(`/user_groups/${cooks}/members`, { delete: [hamlet.id] }))
  await done(api.delete(`/users/${cordelia.id}`))
  assert.deepEqual((await groupsFor(hamlet)).get('chefs')!.members, [])
  await done(api.post(`/users/${cordelia.id}/reactivate`))
  assert.deepEqual((await groupsFor(hamlet)).get('chefs')!.members, [cordelia.id])
  await done(api.patch(`/users/${cordelia.id}`, { role: 300 }))
  assert.deepEqual((await groupsFor(hamlet)).get('role:moderators')!.members, [cordelia.id])
  await done(api.post(`/user_groups/${bakers}/deactivate`))
  assert.equal((await groupsFor(hamlet)).has('bakers'), false)
  const all = await register(hamlet, { client_capabilities: { include_deactivated_groups: true } })
  assert.equal(all.realm_user_groups!.find((group) => group.id === bakers)!.deactivated, true)
})

test('the next client sees a newly full member in the full members group', async () => {
  await using w = await world({})
  const { iago, hamlet } = w.people
  const fullMembers = async () => (await groupsFor(iago)).get('role:fullmembers')!.members
  assert.ok((await fullMembers()).includes(hamlet.id))
  await iago.api.patch('/realm', { waiting_period_threshold: 2 })
  assert.deepEqual(await fullMembers(), [])
  w.clock.advance(2 * DAY_MS - 1000)
  assert.deepEqual(await fullMembers(), [])
  w.clock.advance(1000)
  assert.ok((await fullMembers()).includes(hamlet.id))
})
