import assert from 'node:assert/strict'
import test from 'node:test'
import { createGroup } from '../../src/core/groups/create.ts'
import { changeSubgroups, listSubgroups } from '../../src/core/groups/subgroups.ts'
import { type Person, world } from '../../src/testing/index.ts'

const create = async (who: Person, name: string, more: object = {}): Promise<number> =>
  (await createGroup(who, { name, description: '', members: [], ...more })).group_id

test('Update subgroups of a user group | add and delete', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const [a, b, c] = [await create(hamlet, 'a'), await create(hamlet, 'b'), await create(hamlet, 'c')]
  await w.events()
  const path = `/user_groups/${a}/subgroups`
  const done = { status: 200, result: 'success', msg: '' }
  assert.deepEqual(await hamlet.api.post(path, { add: [b] }), done)
  assert.deepEqual(await hamlet.api.post(path, { add: [c], delete: [b] }), done)
  assert.deepEqual(await hamlet.api.post(path, { delete: [c] }), done)
  assert.deepEqual(await hamlet.api.post(path, { add: [c, b, c] }), done)
  assert.deepEqual(await listSubgroups(hamlet, { user_group_id: a }), { subgroups: [b, c] })
  const event = { type: 'user_group', group_id: a }
  assert.deepEqual(await w.events(), [
    { ...event, op: 'add_subgroups', direct_subgroup_ids: [b] },
    { ...event, op: 'add_subgroups', direct_subgroup_ids: [c] },
    { ...event, op: 'remove_subgroups', direct_subgroup_ids: [b] },
    { ...event, op: 'remove_subgroups', direct_subgroup_ids: [c] },
    { ...event, op: 'add_subgroups', direct_subgroup_ids: [b, c] },
  ])
})

test('Update subgroups of a user group | ignored_parameters_unsupported', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const [a, b] = [await create(hamlet, 'a'), await create(hamlet, 'b')]
  assert.deepEqual(await hamlet.api.post(`/user_groups/${a}/subgroups`, { add: [b], colour: 'red' }), {
    status: 200,
    result: 'success',
    msg: '',
    ignored_parameters_unsupported: ['colour'],
  })
})

test('Update subgroups of a user group | rejects cycles of any length', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const c = await create(hamlet, 'c')
  const b = await create(hamlet, 'b', { subgroups: [c] })
  const a = await create(hamlet, 'a', { subgroups: [b] })
  const add = (user_group_id: number, ids: number[]) => changeSubgroups(hamlet, { user_group_id, add: ids })
  await assert.rejects(add(a, [a]), { code: 'BAD_REQUEST', message: 'A user group cannot be a subgroup of itself.' })
  const message = (id: number) => `User group ${id} is already a subgroup of one of the passed subgroups.`
  await assert.rejects(add(b, [a]), { code: 'BAD_REQUEST', message: message(b) })
  await assert.rejects(add(c, [a]), { code: 'BAD_REQUEST', message: message(c) })
  await add(a, [c])
  assert.deepEqual(await listSubgroups(hamlet, { user_group_id: a }), { subgroups: [c, b].sort((x, y) => x - y) })
})

test("Update subgroups of a user group | two simultaneous changes can't create a cycle", async () => {
  await using w = await world()
  const { hamlet } = w.people
  const [a, b] = [await create(hamlet, 'a'), await create(hamlet, 'b')]
  const outcomes = await Promise.allSettled([
    changeSubgroups(hamlet, { user_group_id: a, add: [b] }),
    changeSubgroups(hamlet, { user_group_id: b, add: [a] }),
  ])
  assert.deepEqual(
    outcomes.map((outcome) => outcome.status),
    ['fulfilled', 'rejected'],
  )
})

test('Update subgroups of a user group | rejects an invalid change entirely', async () => {
  await using w = await world()
  const { hamlet } = w.people
  const [b, c] = [await create(hamlet, 'b'), await create(hamlet, 'c')]
  const user_group_id = await create(hamlet, 'a', { subgroups: [b] })
  await w.events()
  const nothing = 'Nothing to do. Specify at least one of "add" or "delete".'
  const cases: [params: object, message: string][] = [
    [{}, nothing],
    [{ add: [], delete: [] }, nothing],
    [{ add: [c, 999] }, 'Invalid user group ID: 999'],
    [{ add: [c], delete: [999] }, 'Invalid user group ID: 999'],
    [{ add: [c, b] }, `User group ${b} is already a subgroup of this group.`],
    [{ delete: [b, c] }, `User group ${c} is not a subgroup of this group.`],
    [{ add: b }, 'add is not a list'],
    [{ add: ['b'] }, 'add[0] is not an integer'],
  ]
  for (const [params, msg] of cases) {
    const answer = await hamlet.api.post(`/user_groups/${user_group_id}/subgroups`, { ...params })
    assert.deepEqual(answer, { status: 400, result: 'error', code: 'BAD_REQUEST', msg }, JSON.stringify(params))
  }
  const unknown = await hamlet.api.post('/user_groups/999/subgroups', { add: [b] })
  assert.deepEqual(unknown, { status: 400, result: 'error', code: 'BAD_REQUEST', msg: 'Invalid user group' })
  assert.deepEqual(await listSubgroups(hamlet, { user_group_id }), { subgroups: [b] })
  assert.deepEqual(await w.events(), [])
})

test('Update subgroups of a user group | only managers and, if allowed, members can change it', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const [a, b] = [await create(hamlet, 'a'), await create(hamlet, 'b')]
  assert.deepEqual(await cordelia.api.post(`/user_groups/${a}/subgroups`, { add: [b] }), {
    status: 400,
    result: 'error',
    code: 'BAD_REQUEST',
    msg: 'Insufficient permission',
  })
  await changeSubgroups(iago, { user_group_id: a, add: [b] })
  await assert.rejects(changeSubgroups(cordelia, { user_group_id: a, delete: [b] }), {
    code: 'BAD_REQUEST',
    message: 'Insufficient permission',
  })
})
