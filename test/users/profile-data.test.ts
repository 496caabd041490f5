import assert from 'node:assert/strict'
import test from 'node:test'
import { profileDataOf, removeProfileData, updateProfileData } from '../../src/core/users/profile-data.ts'
import { createProfileField } from '../../src/core/users/profile-fields.ts'
import { type World, world } from '../../src/testing/index.ts'

const definitions: Record<number, object> = {
  3: { 0: { text: 'Vim', order: '1' }, 1: { text: 'Emacs', order: '2' } },
  7: { subtype: 'custom', url_pattern: 'https://github.com/%(username)s' },
}

/** A world with a field of every kind; the id of each is the number of its kind. */
async function withFields(): Promise<World> {
  const w = await world({ people: { robot: { bot: true }, gone: {} } })
  for (let field_type = 1; field_type <= 8; field_type++) {
    const field_data = definitions[field_type]
    const name = `field ${field_type}`
    await createProfileField(w.people.iago, { name, field_type, ...(field_data && { field_data: { ...field_data } }) })
  }
  const { id } = w.person('gone')
  await w.people.iago.write((tx) => tx.db.updateTable('user').set({ is_active: 0 }).where('id', '=', id).execute())
  await w.events()
  return w
}

const accepted: [kind: number, value: string | number[], shown: object][] = [
  [1, 'a **b** <i>', { value: 'a **b** <i>', rendered_value: '<p>a <strong>b</strong> &lt;i&gt;</p>' }],
  [2, 'x'.repeat(500), { value: 'x'.repeat(500), rendered_value: `<p>${'x'.repeat(500)}</p>` }],
  [3, '1', { value: '1' }],
  [4, '2024-02-29', { value: '2024-02-29' }],
  [5, 'https://example.com/a?b=c', { value: 'https://example.com/a?b=c' }],
  [6, [5, 4, 5], { value: '[5,4]' }],
  [7, 'torvalds', { value: 'torvalds' }],
  [8, 'they/them', { value: 'they/them' }],
]
for (const [kind, value, shown] of accepted) {
  test(`sets, announces and removes a value of kind ${kind}`, async () => {
    await using w = await withFields()
    const { hamlet, iago } = w.people
    await updateProfileData(hamlet, { data: [{ id: kind, value }] })
    await updateProfileData(hamlet, { data: [{ id: kind, value }] })
    assert.deepEqual(await profileDataOf(iago, [hamlet.id, iago.id]), new Map([[hamlet.id, { [kind]: shown }]]))
    await removeProfileData(hamlet, { data: [kind] })
    await removeProfileData(hamlet, { data: [kind] })
    assert.equal((await profileDataOf(iago, [hamlet.id])).size, 0)
    const event = (custom_profile_field: object) => ({
      type: 'realm_user',
      op: 'update',
      person: { user_id: hamlet.id, custom_profile_field },
    })
    const expected = [event({ id: kind, ...shown }), event({ id: kind, value: null })]
    assert.deepEqual(await w.events(), expected, 'and what changes nothing is no event')
  })
}

const refused: [kind: number, value: unknown, msg: string][] = [
  [99, 'x', 'Field id 99 not found.'],
  [1, 'x'.repeat(51), 'field 1 is too long (limit: 50 characters)'],
  [1, [2], 'field 1 is not a string'],
  [2, 'x'.repeat(501), 'field 2 is too long (limit: 500 characters)'],
  [3, '7', "'7' is not a valid choice for 'field 3'."],
  [3, 'toString', "'toString' is not a valid choice for 'field 3'."],
  [4, '2023-02-29', 'field 4 is not a date'],
  [4, '29.2.2024', 'field 4 is not a date'],
  [5, 'javascript:alert(1)', 'field 5 is not a URL'],
  [5, 'example.com', 'field 5 is not a URL'],
  [6, 'hamlet', 'field 6 is not a list'],
  [6, [999], 'Invalid user ID: 999'],
  [7, 'x'.repeat(51), 'field 7 is too long (limit: 50 characters)'],
  [8, 'x'.repeat(51), 'field 8 is too long (limit: 50 characters)'],
]
for (const [id, value, msg] of refused) {
  test(`a value ${JSON.stringify(value).slice(0, 20)} of field ${id} | ${msg}`, async () => {
    await using w = await withFields()
    const good = { id: 8, value: 'she' }
    const answer = await w.people.hamlet.api.patch('/users/me/profile_data', { data: [good, { id, value }] })
    assert.deepEqual(answer, { status: 400, result: 'error', code: 'BAD_REQUEST', msg })
    assert.deepEqual(await w.events(), [], 'all of it or nothing')
  })
}

test('rejects bots and deactivated users in a user list field', async () => {
  await using w = await withFields()
  const set = (id: number) => updateProfileData(w.people.hamlet, { data: [{ id: 6, value: [id] }] })
  const { id: robot } = w.person('robot')
  const { id: gone } = w.person('gone')
  await assert.rejects(set(robot), { message: `User with ID ${robot} is a bot` })
  await assert.rejects(set(gone), { message: `User with ID ${gone} is deactivated` })
})

test('an empty value clears the field', async () => {
  await using w = await withFields()
  const { hamlet } = w.people
  for (const value of ['', null]) {
    await updateProfileData(hamlet, { data: [{ id: 8, value: 'she' }] })
    await updateProfileData(hamlet, { data: [{ id: 8, value }] })
    assert.equal((await profileDataOf(hamlet, [hamlet.id])).size, 0)
  }
})

test('administrators can edit fields their user may not', async () => {
  await using w = await withFields()
  const { iago, hamlet } = w.people
  await iago.api.patch('/realm/profile_fields/1', { editable_by_user: false })
  const refusal = {
    code: 'BAD_REQUEST',
    message: 'You are not allowed to change this field. Contact an administrator to update it.',
  }
  await assert.rejects(updateProfileData(hamlet, { data: [{ id: 1, value: 'x' }] }), refusal)
  await assert.rejects(removeProfileData(hamlet, { data: [1] }), refusal)
  await updateProfileData(iago, { data: [{ id: 1, value: 'x' }] })
})

test('Release 2.1 | profile_data | keys are field IDs, values have value and, for some kinds, rendered_value', async () => {
  await using w = await withFields()
  const { hamlet } = w.people
  const data = [
    { id: 1, value: 'Denmark' },
    { id: 4, value: '1600-01-01' },
  ]
  await hamlet.api.patch('/users/me/profile_data', { data })
  const { members } = await w.people.iago.api.get('/users', { include_custom_profile_fields: true })
  const of = (id: number) => members.find((member: { user_id: number }) => member.user_id === id)
  assert.deepEqual(of(hamlet.id).profile_data, {
    1: { value: 'Denmark', rendered_value: '<p>Denmark</p>' },
    4: { value: '1600-01-01' },
  })
  assert.deepEqual(of(w.people.cordelia.id).profile_data, {})
  assert.ok(!('profile_data' in of(w.person('robot').id)))
})
