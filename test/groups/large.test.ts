import assert from 'node:assert/strict'
import test from 'node:test'
import { createGroup } from '../../src/core/groups/create.ts'
import { listMembers } from '../../src/core/groups/members.ts'
import { changeMembers } from '../../src/core/groups/membership/change-members.ts'
import { world } from '../../src/testing/index.ts'
import { addCrowd } from '../crowd.ts'

test('fills and empties a group of thousands in one request', async () => {
  await using w = await world()
  const { iago } = w.people
  await addCrowd(iago, 2500)
  const rows = await iago.db
    .selectFrom('user')
    .select('id')
    .where('role', '=', 400)
    .where('is_system_bot', '=', 0)
    .orderBy('id')
    .execute()
  const members = rows.map((row) => row.id)
  assert.ok(members.length > 2500)
  const { group_id: user_group_id } = await createGroup(iago, { name: 'crowd', description: '', members })
  assert.deepEqual((await listMembers(iago, { user_group_id })).members, members)
  await changeMembers(iago, { user_group_id, delete: members })
  assert.deepEqual((await listMembers(iago, { user_group_id })).members, [])
})
