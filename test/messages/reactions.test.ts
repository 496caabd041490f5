import assert from 'node:assert/strict'
import test from 'node:test'
import { storeOf } from '../../src/core/kernel/store.ts'
import { addReaction, removeReaction } from '../../src/core/messages/reactions.ts'
import { deactivateCustomEmoji } from '../../src/core/organization/emoji/deactivate.ts'
import { uploadCustomEmoji } from '../../src/core/organization/emoji/upload.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'
import { png } from '../files/images.ts'

const upload = (who: Person, emoji_name: string) =>
  uploadCustomEmoji(who, { emoji_name, filename: { name: 'a.png', bytes: png() } })

/** A message of iago's that hamlet can see; its own events are skipped. */
async function withMessage(): Promise<World & { message_id: number }> {
  const w = await world()
  await upload(w.people.iago, 'party parrot')
  const { id } = await w.people.iago.says('hello')
  await w.events()
  return Object.assign(w, { message_id: id })
}

const reactions = async (w: World) =>
  (await storeOf(w.chat).db.selectFrom('reaction').selectAll().orderBy('id').execute()).map(
    ({ user_id, emoji_name, emoji_code, reaction_type }) => [user_id, emoji_name, emoji_code, reaction_type],
  )

test('adds and removes a reaction with one event each', async () => {
  await using w = await withMessage()
  const { hamlet } = w.people
  const { message_id } = w
  assert.deepEqual(await addReaction(hamlet, { message_id, emoji_name: 'tada' }), {})
  assert.deepEqual(await reactions(w), [[hamlet.id, 'tada', '1f389', 'unicode_emoji']])
  assert.deepEqual(await removeReaction(hamlet, { message_id, emoji_name: 'tada' }), {})
  assert.deepEqual(await reactions(w), [])
  const event = {
    type: 'reaction',
    user_id: hamlet.id,
    message_id,
    emoji_name: 'tada',
    emoji_code: '1f389',
    reaction_type: 'unicode_emoji',
  }
  assert.deepEqual(await w.events(), [
    { ...event, op: 'add' },
    { ...event, op: 'remove' },
  ])
})

const added: Record<string, [params: object, stored: string[]]> = {
  'a name': [{ emoji_name: 'thumbs_up' }, ['thumbs_up', '1f44d', 'unicode_emoji']],
  'a name in any case, with a space': [{ emoji_name: 'Thumbs Up' }, ['thumbs_up', '1f44d', 'unicode_emoji']],
  'name and code': [{ emoji_name: '+1', emoji_code: '1f44d' }, ['+1', '1f44d', 'unicode_emoji']],
  'name, code and type': [
    { emoji_name: '+1', emoji_code: '1f44d', reaction_type: 'unicode_emoji' },
    ['+1', '1f44d', 'unicode_emoji'],
  ],
  'a custom emoji by name': [{ emoji_name: 'party_parrot' }, ['party_parrot', '1', 'realm_emoji']],
  'a custom emoji by everything': [
    { emoji_name: 'party_parrot', emoji_code: '1', reaction_type: 'realm_emoji' },
    ['party_parrot', '1', 'realm_emoji'],
  ],
  'the extra emoji': [{ emoji_name: 'zulip' }, ['zulip', 'zulip', 'zulip_extra_emoji']],
  'the extra emoji by its type as specified': [
    { emoji_name: 'zulip', emoji_code: 'zulip', reaction_type: 'service_extra_emoji' },
    ['zulip', 'zulip', 'zulip_extra_emoji'],
  ],
}
for (const [name, [params, stored]] of Object.entries(added)) {
  test(`reacts with ${name} and takes it back over HTTP`, async () => {
    await using w = await withMessage()
    const { hamlet } = w.people
    const path = `/messages/${w.message_id}/reactions`
    const done = { status: 200, result: 'success', msg: '' }
    assert.deepEqual(await hamlet.api.post(path, { ...params }), done)
    assert.deepEqual(await reactions(w), [[hamlet.id, ...stored]])
    assert.deepEqual(await hamlet.api.delete(path, { ...params }), done)
    assert.deepEqual(await reactions(w), [])
  })
}

const refusedAdds: [params: object, code: string, msg: string][] = [
  [{ emoji_name: 'nonesuch' }, 'BAD_REQUEST', "Emoji 'nonesuch' does not exist"],
  [{}, 'REQUEST_VARIABLE_MISSING', "Missing 'emoji_name' argument"],
  [{ emoji_name: 'tada', reaction_type: 'smoke' }, 'BAD_REQUEST', 'Invalid emoji type.'],
  [{ emoji_name: 'tada', emoji_code: '1f44d' }, 'BAD_REQUEST', 'Invalid emoji name.'],
  [{ emoji_name: 'tada', emoji_code: 'xyz' }, 'BAD_REQUEST', 'Invalid emoji code.'],
  [{ emoji_name: 'tada', emoji_code: 'xyz', reaction_type: 'unicode_emoji' }, 'BAD_REQUEST', 'Invalid emoji code.'],
  [{ emoji_name: 'tada', emoji_code: '9', reaction_type: 'realm_emoji' }, 'BAD_REQUEST', 'Invalid custom emoji.'],
  [{ emoji_name: 'tada', emoji_code: '1', reaction_type: 'realm_emoji' }, 'BAD_REQUEST', 'Invalid custom emoji name.'],
  [{ emoji_name: 'tada', emoji_code: 'x', reaction_type: 'zulip_extra_emoji' }, 'BAD_REQUEST', 'Invalid emoji code.'],
]
for (const [params, code, msg] of refusedAdds) {
  test(`adding ${JSON.stringify(params)} | ${code} | ${msg}`, async () => {
    await using w = await withMessage()
    const answer = await w.people.hamlet.api.post(`/messages/${w.message_id}/reactions`, { ...params })
    const { result, ...rest } = answer
    assert.equal(result, 'error')
    const missing = code === 'REQUEST_VARIABLE_MISSING' ? { var_name: 'emoji_name' } : {}
    assert.deepEqual(rest, { status: 400, code, msg, ...missing })
    assert.deepEqual(await w.events(), [])
  })
}

test('rejects a duplicate reaction and sends one event', async () => {
  await using w = await withMessage()
  const { hamlet } = w.people
  await addReaction(hamlet, { message_id: w.message_id, emoji_name: 'thumbs_up' })
  const twice = { code: 'REACTION_ALREADY_EXISTS', message: 'Reaction already exists.' }
  await assert.rejects(addReaction(hamlet, { message_id: w.message_id, emoji_name: 'thumbs_up' }), twice)
  await assert.rejects(addReaction(hamlet, { message_id: w.message_id, emoji_name: '+1' }), twice, 'the same picture')
  assert.equal((await w.events()).length, 1)
})

test('a vote takes the name of the existing reaction', async () => {
  await using w = await withMessage()
  const { hamlet, cordelia } = w.people
  await addReaction(hamlet, { message_id: w.message_id, emoji_name: 'thumbs_up' })
  await addReaction(cordelia, { message_id: w.message_id, emoji_name: '+1' })
  assert.deepEqual(await reactions(w), [
    [hamlet.id, 'thumbs_up', '1f44d', 'unicode_emoji'],
    [cordelia.id, 'thumbs_up', '1f44d', 'unicode_emoji'],
  ])
})

const unreadable = { code: 'BAD_REQUEST', message: 'Invalid message(s)' }

test('answers identically for missing and inaccessible messages', async () => {
  await using w = await withMessage()
  const { iago, hamlet, cordelia } = w.people
  const { id: secret } = await iago.says('psst', { people: [hamlet] })
  await addReaction(hamlet, { message_id: secret, emoji_name: 'tada' })
  for (const message_id of [secret, 999]) {
    await assert.rejects(addReaction(cordelia, { message_id, emoji_name: 'tada' }), unreadable)
    await assert.rejects(removeReaction(cordelia, { message_id, emoji_name: 'tada' }), unreadable)
  }
})

test('Remove an emoji reaction | emoji code is invalid | BAD_REQUEST | Invalid message(s)', async () => {
  await using w = await withMessage()
  const { api } = w.people.hamlet
  for (const params of [
    { emoji_code: 'nonsense' },
    { emoji_code: '1f44d-1f44d', reaction_type: 'unicode_emoji' },
    { emoji_code: '999', reaction_type: 'realm_emoji' },
    { emoji_code: '1f44d', reaction_type: 'realm_emoji' },
    { emoji_code: 'x', reaction_type: 'service_extra_emoji' },
    { emoji_name: 'tada', emoji_code: 'nonsense' },
  ]) {
    assert.deepEqual(
      await api.delete(`/messages/${w.message_id}/reactions`, params),
      { status: 400, result: 'error', code: 'BAD_REQUEST', msg: 'Invalid message(s)' },
      JSON.stringify(params),
    )
  }
})

const refusedRemovals: [params: object, code: string, message: string][] = [
  [{}, 'BAD_REQUEST', 'At least one of the following arguments must be present: emoji_name, emoji_code'],
  [{ emoji_name: 'nonesuch' }, 'BAD_REQUEST', "Emoji 'nonesuch' does not exist"],
  [{ emoji_name: 'tada', reaction_type: 'smoke' }, 'BAD_REQUEST', 'Invalid emoji type.'],
  [{ emoji_name: 'tada' }, 'REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."],
  [{ emoji_code: '1f389' }, 'REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."],
  [{ emoji_name: 'party_parrot' }, 'REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."],
  [{ emoji_code: '1', reaction_type: 'realm_emoji' }, 'REACTION_DOES_NOT_EXIST', "Reaction doesn't exist."],
]
for (const [params, code, message] of refusedRemovals) {
  test(`removing ${JSON.stringify(params)} | ${code} | ${message}`, async () => {
    await using w = await withMessage()
    const { hamlet, cordelia } = w.people
    await addReaction(cordelia, { message_id: w.message_id, emoji_name: 'tada' })
    await assert.rejects(removeReaction(hamlet, { message_id: w.message_id, ...params }), { code, message })
    assert.equal((await reactions(w)).length, 1, "somebody else's stays")
  })
}

test('Remove an emoji reaction | emoji_code votes on a reaction made under an older emoji mapping', async () => {
  await using w = await withMessage()
  const { hamlet } = w.people
  const { message_id } = w
  await addReaction(hamlet, { message_id, emoji_name: 'tada' })
  const rename = (emoji_name: string) =>
    hamlet.write((tx) => tx.db.updateTable('reaction').set({ emoji_name }).execute())
  await rename('party_popper_of_old')
  await removeReaction(hamlet, { message_id, emoji_name: 'tada', emoji_code: '1f389', reaction_type: 'unicode_emoji' })
  await addReaction(hamlet, { message_id, emoji_name: 'tada' })
  await rename('party_popper_of_old')
  await removeReaction(hamlet, { message_id, emoji_name: 'party_popper_of_old' })
  assert.deepEqual(await reactions(w), [])
})

test('Feature level 2 | reaction_type optional for custom emoji when removing a reaction', async () => {
  await using w = await withMessage()
  const { hamlet } = w.people
  const { message_id } = w
  for (const params of [{ emoji_name: 'party_parrot' }, { emoji_code: '1' }, { emoji_name: 'x', emoji_code: '1' }]) {
    await addReaction(hamlet, { message_id, emoji_name: 'Party Parrot' })
    await removeReaction(hamlet, { message_id, ...params })
    assert.deepEqual(await reactions(w), [], JSON.stringify(params))
  }
})

test('a deactivated custom emoji accepts votes and removals but no new reactions', async () => {
  await using w = await withMessage()
  const { iago, hamlet, cordelia } = w.people
  const { message_id } = w
  await addReaction(hamlet, { message_id, emoji_name: 'party_parrot' })
  await deactivateCustomEmoji(iago, { emoji_name: 'party_parrot' })
  const { id: other } = await iago.says('another')
  await assert.rejects(addReaction(hamlet, { message_id: other, emoji_name: 'party_parrot' }), {
    message: "Emoji 'party_parrot' does not exist",
  })
  const byCode = { emoji_name: 'party_parrot', emoji_code: '1', reaction_type: 'realm_emoji' }
  await assert.rejects(addReaction(hamlet, { message_id: other, ...byCode }), {
    message: 'This custom emoji has been deactivated.',
  })
  await addReaction(cordelia, { message_id, ...byCode })
  await addReaction(iago, { message_id, emoji_name: 'Party Parrot' })
  for (const who of [hamlet, cordelia]) await removeReaction(who, { message_id, emoji_name: 'party parrot' })
  await removeReaction(iago, { message_id, emoji_code: '1' })
  assert.deepEqual(await reactions(w), [])
})

test('a custom emoji overrides the default one of its name, whose code still works', async () => {
  await using w = await withMessage()
  const { iago, hamlet } = w.people
  const { message_id } = w
  await addReaction(hamlet, { message_id, emoji_name: 'tada' })
  await upload(iago, 'tada')
  await addReaction(hamlet, { message_id, emoji_name: 'tada' })
  assert.deepEqual(await reactions(w), [
    [hamlet.id, 'tada', '1f389', 'unicode_emoji'],
    [hamlet.id, 'tada', '2', 'realm_emoji'],
  ])
  await removeReaction(hamlet, { message_id, emoji_name: 'tada', emoji_code: '1f389' })
  assert.deepEqual(await reactions(w), [[hamlet.id, 'tada', '2', 'realm_emoji']])
  await removeReaction(hamlet, { message_id, emoji_name: 'tada' })
  assert.deepEqual(await reactions(w), [])
})

test('ignored_parameters_unsupported lists unknown parameters of a reaction', async () => {
  await using w = await withMessage()
  const answer = await w.people.hamlet.api.post(`/messages/${w.message_id}/reactions`, {
    emoji_name: 'tada',
    mood: 'gay',
  })
  assert.deepEqual(answer.ignored_parameters_unsupported, ['mood'])
})
