import assert from 'node:assert/strict'
import test from 'node:test'
import { register } from '../../src/core/events/queues/register.ts'
import { profileDataOf } from '../../src/core/users/profile-data.ts'
import {
  createProfileField,
  listProfileFields,
  removeProfileField,
  reorderProfileFields,
  updateProfileField,
} from '../../src/core/users/profile-fields.ts'
import { world } from '../../src/testing/index.ts'

const options = { 0: { text: 'Vim', order: '1' }, 1: { text: 'Emacs', order: '2' } }
const github = { subtype: 'custom', url_pattern: 'https://github.com/%(username)s' }

test('creates, announces and lists a field', async () => {
  await using w = await world()
  const { iago, polonius } = w.people
  const { id } = await createProfileField(iago, { name: 'Editor', hint: 'Pick', field_type: 3, field_data: options })
  const field = {
    id,
    name: 'Editor',
    type: 3,
    hint: 'Pick',
    field_data: JSON.stringify(options),
    order: 1,
    required: false,
    editable_by_user: true,
  }
  assert.deepEqual(await listProfileFields(polonius, {}), { custom_fields: [field] })
  assert.deepEqual(await w.events(), [{ type: 'custom_profile_fields', fields: [field] }])
  const state = await register(polonius, { fetch_event_types: ['custom_profile_fields'] })
  assert.deepEqual(state.custom_profile_fields, [field])
  assert.deepEqual(state.custom_profile_field_types?.SELECT, { id: 3, name: 'List of options' })
  assert.equal(Object.keys(state.custom_profile_field_types ?? {}).length, 8)
})

const refused: [params: object, msg: string][] = [
  [{ field_type: 1 }, 'Label cannot be blank.'],
  [{ field_type: 1, name: ' ' }, 'Label cannot be blank.'],
  [{ field_type: 1, name: 'x'.repeat(41) }, 'name is too long (limit: 40 characters)'],
  [{ field_type: 1, name: 'x', hint: 'x'.repeat(81) }, 'hint is too long (limit: 80 characters)'],
  [{ field_type: 1, name: 'TAKEN' }, 'A field with that label already exists.'],
  [{ field_type: 9, name: 'x' }, 'Invalid field type.'],
  [{ field_type: 3, name: 'x' }, 'Field must have at least one choice.'],
  [
    { field_type: 3, name: 'x', field_data: { 0: { text: '', order: '1' } } },
    'field_data["0"]["text"] cannot be blank.',
  ],
  [
    { field_type: 3, name: 'x', field_data: { 0: options[0], 1: { ...options[0], order: '2' } } },
    'Field must not have duplicate choices.',
  ],
  [{ field_type: 7, name: 'x' }, 'Invalid external account type'],
  [{ field_type: 2, name: 'x', use_for_user_matching: true }, 'Field type not supported for user matching.'],
  [{ field_type: 7, name: 'x', field_data: { subtype: 'custom' } }, 'Custom external account must define URL pattern'],
  [
    { field_type: 7, name: 'x', field_data: { ...github, url_pattern: 'https://example.com' } },
    'Malformed URL pattern.',
  ],
  [
    { field_type: 7, name: 'x', field_data: { ...github, url_pattern: 'javascript:alert(%(username)s)' } },
    'Malformed URL pattern.',
  ],
  [
    { field_type: 6, name: 'x', display_in_profile_summary: true },
    'Field type not supported for display in profile summary.',
  ],
]
for (const [params, msg] of refused) {
  test(`creating ${JSON.stringify(params).slice(0, 60)} | ${msg}`, async () => {
    await using w = await world()
    const { iago } = w.people
    await createProfileField(iago, { name: 'taken', field_type: 1 })
    const answer = await iago.api.post('/realm/profile_fields', { ...params })
    assert.deepEqual(answer, { status: 400, result: 'error', code: 'BAD_REQUEST', msg })
  })
}

test('shows at most two fields in the profile summary', async () => {
  await using w = await world()
  const { iago } = w.people
  const create = (name: string) => createProfileField(iago, { name, field_type: 1, display_in_profile_summary: true })
  const { id } = await create('a')
  await create('b')
  await assert.rejects(create('c'), {
    message: 'Only 2 custom profile fields can be displayed in the profile summary.',
  })
  await updateProfileField(iago, { field_id: id, display_in_profile_summary: true })
  await updateProfileField(iago, { field_id: id, display_in_profile_summary: false })
  await create('c')
})

test('changes only the given properties of a field', async () => {
  await using w = await world()
  const { iago } = w.people
  const { id } = await createProfileField(iago, { name: 'Account', hint: 'h', field_type: 7, field_data: github })
  const path = `/realm/profile_fields/${id}`
  assert.equal((await iago.api.patch(path, { name: 'GitHub', required: true })).result, 'success')
  const [field] = (await listProfileFields(iago, {})).custom_fields
  assert.deepEqual(
    [field!.name, field!.hint, field!.required, JSON.parse(field!.field_data)],
    ['GitHub', 'h', true, github],
  )
  assert.equal((await iago.api.patch('/realm/profile_fields/99', { name: 'x' })).msg, 'Field id 99 not found.')
})

test('removing an option deletes its values', async () => {
  await using w = await world()
  const { iago, hamlet, cordelia } = w.people
  const { id } = await createProfileField(iago, { name: 'Editor', field_type: 3, field_data: options })
  await hamlet.api.patch('/users/me/profile_data', { data: [{ id, value: '0' }] })
  await cordelia.api.patch('/users/me/profile_data', { data: [{ id, value: '1' }] })
  await w.events()
  await updateProfileField(iago, { field_id: id, field_data: { 1: options[1] } })
  const data = await profileDataOf(iago, [hamlet.id, cordelia.id])
  assert.deepEqual([...data], [[cordelia.id, { [id]: { value: '1' } }]])
  const [fields, emptied, ...more] = await w.events()
  assert.equal(fields!.type, 'custom_profile_fields')
  assert.deepEqual(emptied?.type === 'realm_user' && emptied.person, {
    user_id: hamlet.id,
    custom_profile_field: { id, value: null },
  })
  assert.deepEqual(more, [])
})

test('reorders all fields', async () => {
  await using w = await world()
  const { iago } = w.people
  const ids = []
  for (const name of ['a', 'b', 'c']) ids.push((await createProfileField(iago, { name, field_type: 1 })).id)
  const [a, b, c] = ids as [number, number, number]
  await reorderProfileFields(iago, { order: [c, a, b] })
  const { custom_fields } = await listProfileFields(iago, {})
  assert.deepEqual(
    custom_fields.map(({ name, order }) => [name, order]),
    [
      ['c', 1],
      ['a', 2],
      ['b', 3],
    ],
  )
  for (const order of [[], [a, b], [a, b, b], [a, b, 99], [a, b, c, c]]) {
    await assert.rejects(reorderProfileFields(iago, { order }), { message: 'Invalid order mapping.' })
  }
})

test('deleting a field deletes all its values', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { id } = await createProfileField(iago, { name: 'a', field_type: 1 })
  await hamlet.api.patch('/users/me/profile_data', { data: [{ id, value: 'x' }] })
  await removeProfileField(iago, { field_id: id })
  assert.deepEqual(await listProfileFields(iago, {}), { custom_fields: [] })
  assert.equal((await profileDataOf(iago, [hamlet.id])).size, 0)
})

test('only administrators can change fields', async () => {
  await using w = await world()
  const { api } = w.people.hamlet
  const answers = [
    await api.post('/realm/profile_fields', { field_type: 1, name: 'x' }),
    await api.patch('/realm/profile_fields', { order: [] }),
    await api.patch('/realm/profile_fields/1', { name: 'x' }),
    await api.delete('/realm/profile_fields/1'),
  ]
  for (const answer of answers) {
    assert.deepEqual(answer, {
      status: 400,
      result: 'error',
      code: 'UNAUTHORIZED_PRINCIPAL',
      msg: 'Must be an organization administrator',
    })
  }
})

test('shows fields by which clients find people, and long texts in the summary', async () => {
  await using w = await world()
  const { api } = w.people.iago
  const { id } = await api.post('/realm/profile_fields', {
    name: 'Nickname',
    field_type: 1,
    use_for_user_matching: true,
  })
  await api.post('/realm/profile_fields', { name: 'About', field_type: 2, display_in_profile_summary: true })
  const shown = async () => (await api.get('/realm/profile_fields')).custom_fields
  const [nickname, about] = await shown()
  assert.deepEqual([nickname.use_for_user_matching, 'use_for_user_matching' in about], [true, false])
  assert.equal(about.display_in_profile_summary, true)
  await api.patch(`/realm/profile_fields/${id}`, { use_for_user_matching: false })
  assert.ok(!('use_for_user_matching' in (await shown())[0]))
})
