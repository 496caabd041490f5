import assert from 'node:assert/strict'
import test from 'node:test'
import { expandGroup } from '../../src/core/access/group-members.ts'
import { createGroup } from '../../src/core/groups/create.ts'
import { isMember, listMembers } from '../../src/core/groups/members.ts'
import { changeMembers } from '../../src/core/groups/membership/change-members.ts'
import { emitSystemGroupChanges } from '../../src/core/groups/system-groups.ts'
import { roles } from '../../src/core/kernel/roles.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { putSetting } from '../../src/core/settings/organization.ts'
import { type Person, world } from '../../src/testing/index.ts'
import { ofType } from '../../src/testing/verify-events.ts'

const create = async (who: Person, name: string, more: object = {}): Promise<number> =>
  (await createGroup(who, { name, description: '', members: [], ...more })).group_id

const refused = { code: 'BAD_REQUEST', message: 'Insufficient permission' }

test('adds and removes members with one event each', async () => {
  await using w = await world()
  const { hamlet, cordelia, polonius } = w.people
  const group_id = await create(hamlet, 'royals', { members: [hamlet.id] })
  await w.events()
  const path = `/user_groups/${group_id}/members`
  const add = [polonius.id, cordelia.id]
  assert.equal((await hamlet.api.post(path, { add, delete: [] })).result, 'success')
  await w.people.iago.api.post(path, { delete: [hamlet.id] })
  assert.deepEqual((await hamlet.api.get(path)).members, [cordelia.id, polonius.id])
  const changes = (await w.events()).filter((event) => event.type === 'user_group')
  assert.deepEqual(changes, [
    { type: 'user_group', op: 'add_members', group_id, user_ids: [cordelia.id, polonius.id] },
    { type: 'user_group', op: 'remove_members', group_id, user_ids: [hamlet.id] },
  ])
})

test('rejects a change of members entirely', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const user_group_id = await create(iago, 'royals', { members: [hamlet.id] })
  await w.events()
  const cases: [params: object, message: string][] = [
    [{}, 'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".'],
    [
      { add: [], delete: [] },
      'Nothing to do. Specify at least one of "add", "delete", "add_subgroups" or "delete_subgroups".',
    ],
    [{ add: [cordelia.id, hamlet.id] }, `User ${hamlet.id} is already a member of this group`],
    [{ add: [cordelia.id], delete: [iago.id] }, `There is no member '${iago.id}' in this user group`],
    [{ add: [cordelia.id, 999] }, 'Invalid user ID: 999'],
    [{ add: [cordelia.id], add_subgroups: [999] }, 'Invalid user group ID: 999'],
  ]
  for (const [params, message] of cases) {
    await assert.rejects(changeMembers(iago, { user_group_id, ...params }), { code: 'BAD_REQUEST', message })
  }
  assert.deepEqual(await listMembers(iago, { user_group_id }), { members: [hamlet.id] })
  assert.deepEqual(await w.events(), [])
  await assert.rejects(changeMembers(iago, { user_group_id: 999, add: [1] }), { message: 'Invalid user group' })
})

test('joining, leaving, adding and removing are separate permissions', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const someone = (who: Person) => ({ direct_members: [who.id], direct_subgroups: [] })
  const user_group_id = await create(iago, 'open', { can_join_group: someone(hamlet) })
  const change = (who: Person, params: object) => changeMembers(who, { user_group_id, ...params })
  await assert.rejects(change(cordelia, { add: [cordelia.id] }), refused)
  await assert.rejects(change(hamlet, { add: [hamlet.id, cordelia.id] }), refused)
  await change(hamlet, { add: [hamlet.id] })
  await assert.rejects(change(cordelia, { delete: [hamlet.id] }), refused)
  await change(hamlet, { delete: [hamlet.id] })
  await iago.api.patch(`/user_groups/${user_group_id}`, {
    can_add_members_group: { new: someone(cordelia) },
    can_remove_members_group: { new: someone(hamlet) },
  })
  await change(cordelia, { add: [hamlet.id, cordelia.id] })
  await assert.rejects(change(cordelia, { delete: [hamlet.id] }), refused)
  await change(hamlet, { delete: [hamlet.id, cordelia.id] })
})

test('members of subgroups are members unless only direct ones are requested', async () => {
  await using w = await world()
  const { hamlet, cordelia, polonius } = w.people
  const inner = await create(hamlet, 'inner', { members: [cordelia.id] })
  const middle = await create(hamlet, 'middle', { subgroups: [inner] })
  const user_group_id = await create(hamlet, 'outer', { members: [hamlet.id], subgroups: [middle] })
  assert.deepEqual(await listMembers(hamlet, { user_group_id }), { members: [hamlet.id, cordelia.id] })
  assert.deepEqual(await listMembers(hamlet, { user_group_id, direct_member_only: true }), { members: [hamlet.id] })
  const asked = async (user_id: number, direct_member_only = false) =>
    (await isMember(hamlet, { user_group_id, user_id, direct_member_only })).is_user_group_member
  assert.deepEqual(
    [await asked(cordelia.id), await asked(cordelia.id, true), await asked(polonius.id), await asked(hamlet.id, true)],
    [true, false, false, true],
  )
  const path = `/user_groups/${user_group_id}/members/${cordelia.id}`
  assert.deepEqual(await hamlet.api.get(path), {
    status: 200,
    result: 'success',
    msg: '',
    is_user_group_member: true,
  })
  assert.equal((await hamlet.api.get(`/user_groups/${user_group_id}/members/999`)).msg, 'No such user')
  const { subgroups } = await hamlet.api.get(`/user_groups/${user_group_id}/subgroups`)
  assert.deepEqual(subgroups, [inner, middle])
  const direct = await hamlet.api.get(`/user_groups/${user_group_id}/subgroups`, { direct_subgroup_only: true })
  assert.deepEqual(direct.subgroups, [middle])
})

test('a group mention notifies its active members, including members by role', async () => {
  await using w = await world({ people: { robot: { bot: true } } })
  const { iago, hamlet, cordelia, polonius } = w.people
  const id = async (name: string) =>
    (await storeOf(w.chat).db.selectFrom('user_group').select('id').where('name', '=', name).executeTakeFirstOrThrow())
      .id
  const robot = w.person('robot').id
  assert.deepEqual(await expandGroup(hamlet, await id('role:owners')), [iago.id])
  assert.deepEqual(await expandGroup(hamlet, await id('role:members')), [iago.id, hamlet.id, cordelia.id, robot])
  assert.deepEqual(await expandGroup(hamlet, await id('role:nobody')), [])
  const everyone = [iago.id, hamlet.id, cordelia.id, polonius.id, robot]
  assert.deepEqual(await expandGroup(hamlet, await id('role:everyone')), everyone)
  const mixed = await create(hamlet, 'mixed', { members: [polonius.id], subgroups: [await id('role:administrators')] })
  assert.deepEqual(await expandGroup(hamlet, mixed), [iago.id, polonius.id])
  await iago.write((tx) => tx.db.updateTable('user').set({ is_active: 0 }).where('id', '=', polonius.id).execute())
  assert.deepEqual(await expandGroup(hamlet, mixed), [iago.id])
  await iago.write((tx) => putSetting(tx, 'waiting_period_threshold', 3))
  assert.deepEqual(await expandGroup(hamlet, await id('role:fullmembers')), [iago.id])
})

test('a role change updates system groups', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const name = async (id: unknown) =>
    (await storeOf(w.chat).db.selectFrom('user_group').select('name').where('id', '=', Number(id)).executeTakeFirst())!
      .name
  await iago.write((tx) =>
    emitSystemGroupChanges(tx, hamlet.id, hamlet.user, { ...hamlet.user, role: roles.moderator }),
  )
  const events = ofType(await w.events(), 'user_group').filter((event) => event.op !== 'add')
  assert.deepEqual(await Promise.all(events.map(async ({ op, group_id }) => [op, await name(group_id)])), [
    ['remove_members', 'role:fullmembers'],
    ['remove_members', 'role:members'],
    ['add_members', 'role:moderators'],
  ])
})

test("guests can't list groups", async () => {
  await using w = await world()
  assert.deepEqual(await w.people.polonius.api.get('/user_groups'), {
    status: 400,
    result: 'error',
    code: 'BAD_REQUEST',
    msg: 'Not allowed for guest users',
  })
})
