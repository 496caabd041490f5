import assert from 'node:assert/strict'
import test from 'node:test'
import { register } from '../../src/core/events/queues/register.ts'
import { createGroup } from '../../src/core/groups/create.ts'
import { deactivateGroup } from '../../src/core/groups/deactivate.ts'
import { listGroups } from '../../src/core/groups/list.ts'
import { updateGroup } from '../../src/core/groups/update.ts'
import { systemGroupNames } from '../../src/core/settings/group-setting-value.ts'
import { putSetting } from '../../src/core/settings/organization.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'

const create = async (who: Person, name: string, more: object = {}): Promise<number> =>
  (await createGroup(who, { name, description: '', members: [], ...more })).group_id

const role = async (w: World, name: string): Promise<number> =>
  (await listGroups(w.people.iago, {})).user_groups.find((group) => group.name === `role:${name}`)!.id

const group = async (w: World, id: number) =>
  (await listGroups(w.people.iago, { include_deactivated_groups: true })).user_groups.find((group) => group.id === id)!

test('system groups represent roles and nest in each other', async () => {
  await using w = await world({ people: { ophelia: { role: 'moderator' }, horatio: { role: 'administrator' } } })
  const { user_groups } = await listGroups(w.people.iago, {})
  assert.deepEqual(
    user_groups.map((group) => group.name),
    systemGroupNames,
  )
  const name = (id: number | undefined) => user_groups.find((group) => group.id === id)?.name
  assert.deepEqual(Object.fromEntries(user_groups.map((group) => [group.name, group.direct_subgroup_ids.map(name)])), {
    'role:nobody': [],
    'role:owners': [],
    'role:administrators': ['role:owners'],
    'role:moderators': ['role:administrators'],
    'role:fullmembers': ['role:moderators'],
    'role:members': ['role:fullmembers'],
    'role:everyone': ['role:members'],
    'role:internet': ['role:everyone'],
  })
  const { iago, hamlet, cordelia, polonius } = w.people
  const members = Object.fromEntries(user_groups.map((group) => [group.name, group.members]))
  assert.deepEqual(members, {
    'role:nobody': [],
    'role:owners': [iago.id],
    'role:administrators': [w.person('horatio').id],
    'role:moderators': [w.person('ophelia').id],
    'role:fullmembers': [hamlet.id, cordelia.id],
    'role:members': [hamlet.id, cordelia.id],
    'role:everyone': [polonius.id],
    'role:internet': [],
  })
})

test('new members become full members after the waiting period', async () => {
  await using w = await world()
  await w.people.iago.write((tx) => putSetting(tx, 'waiting_period_threshold', 3))
  const full = async () => (await group(w, await role(w, 'fullmembers'))).members
  assert.deepEqual(await full(), [])
  w.clock.advance(3 * 86_400_000)
  assert.deepEqual(await full(), [w.people.hamlet.id, w.people.cordelia.id])
})

test('creates a group with members and subgroups and announces it once', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const inner = await create(hamlet, 'inner')
  await w.events()
  const members = [cordelia.id, hamlet.id, cordelia.id]
  const { group_id } = await createGroup(hamlet, { name: 'Castle', description: 'All', members, subgroups: [inner] })
  const everyone = await role(w, 'everyone')
  const nobody = await role(w, 'nobody')
  const creator = { direct_members: [hamlet.id], direct_subgroups: [] }
  const view = {
    id: group_id,
    name: 'Castle',
    description: 'All',
    members: [hamlet.id, cordelia.id],
    direct_subgroup_ids: [inner],
    creator_id: hamlet.id,
    date_created: Math.floor(w.clock.now() / 1000),
    is_system_group: false,
    deactivated: false,
    can_add_members_group: creator,
    can_join_group: nobody,
    can_leave_group: everyone,
    can_manage_group: creator,
    can_mention_group: everyone,
    can_remove_members_group: nobody,
  }
  assert.deepEqual(await group(w, group_id), view)
  assert.deepEqual(await w.events(), [{ type: 'user_group', op: 'add', group: view }])
})

const refusedNames: Record<string, string> = {
  '': "User group name can't be empty!",
  '  ': "User group name can't be empty!",
  ['x'.repeat(101)]: 'User group name cannot exceed 100 characters.',
  'role:kings': "User group name cannot start with 'role:'.",
  'Role:kings': "User group name cannot start with 'role:'.",
  'user:7': "User group name cannot start with 'user:'.",
  'stream:7': "User group name cannot start with 'stream:'.",
  'channel:7': "User group name cannot start with 'channel:'.",
  '@kings': "User group name cannot start with '@'.",
  ROYALS: "User group 'ROYALS' already exists.",
}
for (const [name, message] of Object.entries(refusedNames)) {
  test(`a group can't be called '${name.slice(0, 10)}' | ${message}`, async () => {
    await using w = await world()
    const { hamlet } = w.people
    const royals = await create(hamlet, 'royals')
    const other = await create(hamlet, 'other')
    await w.events()
    await assert.rejects(create(hamlet, name), { code: 'BAD_REQUEST', message })
    await assert.rejects(updateGroup(hamlet, { user_group_id: other, name }), { code: 'BAD_REQUEST', message })
    assert.deepEqual(await w.events(), [])
    await updateGroup(hamlet, { user_group_id: royals, name: 'Royals' })
  })
}

const refusedGroups: [params: object, code: string, message: string][] = [
  [{ members: [999] }, 'BAD_REQUEST', 'Invalid user ID: 999'],
  [{ members: [1] }, 'BAD_REQUEST', 'Invalid user ID: 1'],
  [{ subgroups: [999] }, 'BAD_REQUEST', 'Invalid user group ID: 999'],
  [{ can_mention_group: 999 }, 'BAD_REQUEST', 'Invalid user group ID: 999'],
  [{ can_mention_group: 8 }, 'BAD_REQUEST', "'can_mention_group' setting cannot be set to 'role:internet' group."],
  [{ can_manage_group: 7 }, 'BAD_REQUEST', "'can_manage_group' setting cannot be set to 'role:everyone' group."],
  [{ can_manage_group: { direct_members: [999], direct_subgroups: [] } }, 'BAD_REQUEST', 'Invalid user ID: 999'],
]
for (const [params, code, message] of refusedGroups) {
  test(`creating a group with ${JSON.stringify(params)} | ${message}`, async () => {
    await using w = await world()
    await assert.rejects(create(w.people.hamlet, 'x', params), { code, message })
    assert.equal((await listGroups(w.people.iago, {})).user_groups.length, systemGroupNames.length)
  })
}

test('only can_create_groups allows creating groups', async () => {
  await using w = await world()
  const refused = { code: 'BAD_REQUEST', message: 'Insufficient permission' }
  await assert.rejects(create(w.people.polonius, 'guests'), refused)
  await w.people.iago.write((tx) => putSetting(tx, 'can_create_groups', 'role:administrators'))
  await assert.rejects(create(w.people.hamlet, 'x'), refused)
  await create(w.people.iago, 'x')
})

test('announces only what changed', async () => {
  await using w = await world()
  const { hamlet, cordelia } = w.people
  const id = await create(hamlet, 'royals')
  const members = await role(w, 'members')
  await w.events()
  await updateGroup(hamlet, {
    user_group_id: id,
    name: 'Royals',
    description: '',
    can_join_group: { new: { direct_members: [], direct_subgroups: [members] } },
    can_leave_group: { new: { direct_members: [cordelia.id, hamlet.id], direct_subgroups: [] } },
  })
  await updateGroup(hamlet, { user_group_id: id, name: 'Royals' })
  assert.deepEqual(await w.events(), [
    {
      type: 'user_group',
      op: 'update',
      group_id: id,
      data: {
        name: 'Royals',
        can_join_group: members,
        can_leave_group: { direct_members: [hamlet.id, cordelia.id], direct_subgroups: [] },
      },
    },
  ])
  const { name, can_join_group } = await group(w, id)
  assert.deepEqual([name, can_join_group], ['Royals', members])
})

test('rejects a change whose expected old value is wrong', async () => {
  await using w = await world()
  const id = await create(w.people.hamlet, 'royals')
  const [members, everyone] = [await role(w, 'members'), await role(w, 'everyone')]
  const { api } = w.people.hamlet
  assert.deepEqual(await api.patch(`/user_groups/${id}`, { can_mention_group: { new: members, old: members } }), {
    status: 400,
    result: 'error',
    code: 'EXPECTATION_MISMATCH',
    msg: "'old' value does not match the expected value.",
  })
  const right = await api.patch(`/user_groups/${id}`, { can_mention_group: { new: members, old: everyone } })
  assert.equal(right.result, 'success')
  assert.equal((await group(w, id)).can_mention_group, members)
})

test('only the creator, can_manage_group and owners can manage a group', async () => {
  await using w = await world({ people: { horatio: { role: 'administrator' } } })
  const { iago, hamlet, cordelia } = w.people
  const id = await create(hamlet, 'royals')
  const rename = (who: Person, name: string) => updateGroup(who, { user_group_id: id, name })
  const refused = { code: 'BAD_REQUEST', message: 'Insufficient permission' }
  await assert.rejects(rename(cordelia, 'a'), refused)
  await assert.rejects(rename(w.person('horatio'), 'a'), refused)
  await assert.rejects(deactivateGroup(cordelia, { user_group_id: id }), refused)
  await rename(iago, 'b')
  const managers = { new: { direct_members: [cordelia.id], direct_subgroups: [] } }
  await updateGroup(hamlet, { user_group_id: id, can_manage_group: managers })
  await rename(cordelia, 'c')
  await assert.rejects(rename(hamlet, 'd'), refused)
})

test("even owners can't change system groups", async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const user_group_id = await role(w, 'members')
  const path = `/user_groups/${user_group_id}`
  for (const answer of [
    await iago.api.patch(path, { name: 'x' }),
    await iago.api.post(`${path}/deactivate`),
    await iago.api.post(`${path}/members`, { add: [hamlet.id] }),
    await iago.api.post(`${path}/subgroups`, { add: [1] }),
  ]) {
    assert.deepEqual(answer, {
      status: 400,
      result: 'error',
      code: 'BAD_REQUEST',
      msg: 'Insufficient permission',
    })
  }
})

test('lists a deactivated group only on request and frees its name', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const id = await create(hamlet, 'royals')
  await w.events()
  await deactivateGroup(hamlet, { user_group_id: id })
  assert.deepEqual(await w.events(), [{ type: 'user_group', op: 'update', group_id: id, data: { deactivated: true } }])
  const ids = async (include: boolean) =>
    (await listGroups(hamlet, { include_deactivated_groups: include })).user_groups.map((group) => group.id)
  assert.ok(!(await ids(false)).includes(id))
  assert.ok((await ids(true)).includes(id))
  const { realm_user_groups } = await register(hamlet, {
    fetch_event_types: ['realm_user_groups'],
    client_capabilities: { include_deactivated_groups: true },
  })
  assert.equal(realm_user_groups!.at(-1)!.deactivated, true)
  for (const refused of [
    updateGroup(hamlet, { user_group_id: id, name: 'x' }),
    deactivateGroup(hamlet, { user_group_id: id }),
    create(hamlet, 'royals', { subgroups: [id] }),
  ]) {
    await assert.rejects(refused, { code: 'BAD_REQUEST', message: 'User group is deactivated.' })
  }
  await create(hamlet, 'royals')
})

test("can't deactivate a group in use", async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const used = await create(hamlet, 'used')
  const outer = await create(hamlet, 'outer', { subgroups: [used], can_join_group: used })
  const only = { direct_members: [hamlet.id], direct_subgroups: [used] }
  await iago.write((tx) => putSetting(tx, 'can_create_groups', only))
  const answer = await hamlet.api.post(`/user_groups/${used}/deactivate`)
  assert.deepEqual(answer, {
    status: 400,
    result: 'error',
    code: 'CANNOT_DEACTIVATE_GROUP_IN_USE',
    msg: 'Cannot deactivate user group in use.',
    objections: [
      { type: 'subgroup', supergroup_ids: [outer] },
      { type: 'user_group', group_id: outer, settings: ['can_join_group'] },
      { type: 'realm', settings: ['can_create_groups'] },
    ],
  })
  await iago.write((tx) => putSetting(tx, 'can_create_groups', 'role:members'))
  await deactivateGroup(hamlet, { user_group_id: outer })
  await deactivateGroup(hamlet, { user_group_id: used })
})

test('lists a hundred groups with as many queries as one', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const count = async () => {
    let queries = 0
    const db = new Proxy(hamlet.db, {
      get: (target, name) => {
        if (name === 'selectFrom') queries++
        const value = Reflect.get(target, name)
        return typeof value === 'function' ? value.bind(target) : value
      },
    })
    await listGroups({ ...hamlet, db }, {})
    return queries
  }
  await create(hamlet, 'first')
  await count()
  const few = await count()
  for (let i = 0; i < 100; i++) await create(hamlet, `group ${i}`, { members: [hamlet.id] })
  await count()
  assert.ok(few > 0, 'premise: queries are counted')
  assert.equal(await count(), few)
})

test('reactivates a group and changes who is in a deactivated one', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const { group_id } = await iago.api.post('/user_groups/create', {
    name: 'crew',
    description: '',
    members: [hamlet.id],
  })
  await iago.api.post(`/user_groups/${group_id}/deactivate`)
  const registered = async (include_deactivated_groups: boolean) =>
    cordelia.api.post('/register', { event_types: ['user_group'], client_capabilities: { include_deactivated_groups } })
  const [knowing, older] = [await registered(true), await registered(false)]
  assert.equal((await iago.api.post(`/user_groups/${group_id}/members`, { add: [cordelia.id] })).msg, '')
  assert.equal((await iago.api.patch(`/user_groups/${group_id}`, { name: 'band' })).msg, 'User group is deactivated.')
  assert.equal(
    (await cordelia.api.patch(`/user_groups/${group_id}`, { deactivated: false })).msg,
    'Insufficient permission',
  )
  assert.equal((await iago.api.patch(`/user_groups/${group_id}`, { deactivated: true })).msg, 'Invalid deactivated')
  assert.equal((await iago.api.patch(`/user_groups/${group_id}`, { deactivated: false, name: 'band' })).msg, '')
  assert.equal((await iago.api.patch(`/user_groups/${group_id}`, { deactivated: false })).msg, '')
  const events = async ({ queue_id }: { queue_id: string }) => {
    const answer = await cordelia.api.get('/events', { queue_id, last_event_id: -1, dont_block: true })
    return answer.events.filter(({ op }: { op: string }) => op !== 'add_members')
  }
  const [update, ...more] = await events(knowing as never)
  assert.deepEqual(
    [update.op, update.data, 'group' in update, more],
    ['update', { name: 'band', deactivated: false }, false, []],
  )
  const [added, ...others] = await events(older as never)
  const group = (await cordelia.api.get('/user_groups')).user_groups.find(({ id }: { id: number }) => id === group_id)
  assert.deepEqual([added.op, added.group, others], ['add', group, []])
  assert.deepEqual([group.members, group.deactivated], [[hamlet.id, cordelia.id], false])
})

test('bots use the endpoints of groups with the permissions of their role', async () => {
  await using w = await world({ people: { bob: { bot: true } } })
  const { iago, hamlet } = w.people
  const { api } = w.person('bob')
  const { user_groups } = await api.get('/user_groups')
  assert.ok(user_groups.length > 5)
  const members = user_groups.find(({ name }: { name: string }) => name === 'role:members').id
  const asMember = await api.get(`/user_groups/${members}/members`)
  assert.ok(asMember.members.includes(hamlet.id))
  const answer = await api.post('/user_groups/create', { name: 'crew', description: '', members: [hamlet.id] })
  assert.equal(answer.msg, '')
  const { group_id } = answer
  assert.equal((await api.post(`/user_groups/${group_id}/members`, { add: [iago.id] })).msg, '')
  assert.equal((await api.patch(`/user_groups/${group_id}`, { description: 'sailors' })).msg, '')
  assert.equal((await api.post(`/user_groups/${group_id}/deactivate`)).msg, '')
  await iago.write((tx) => putSetting(tx, 'can_create_groups', 'role:administrators'))
  const refused = await api.post('/user_groups/create', { name: 'cast', description: '', members: [] })
  assert.deepEqual([refused.status, refused.msg], [400, 'Insufficient permission'])
})
