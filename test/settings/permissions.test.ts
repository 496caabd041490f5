import assert from 'node:assert/strict'
import test from 'node:test'
import { systemGroupNames } from '../../src/core/settings/group-setting-value.ts'
import { organizationSettings, type SettingName } from '../../src/core/settings/organization-table.ts'
import { type World, world } from '../../src/testing/index.ts'
import { create, outcome, roleId } from './proofs.ts'

/** The API at feature level 489: the default, and whether nobody and everyone may have it. */
const reference: Readonly<
  Record<string, Readonly<Record<string, [initial: string, nobody: boolean, everyone: boolean]>>>
> = {
  realm: {
    can_access_all_users_group: ['role:everyone', false, true],
    can_create_web_public_channel_group: ['role:owners', true, false],
    can_manage_all_groups: ['role:owners', false, false],
    can_manage_billing_group: ['role:administrators', false, false],
    create_multiuse_invite_group: ['role:administrators', true, false],
    can_invite_users_group: ['role:members', true, false],
    can_add_custom_emoji_group: ['role:members', true, false],
    can_bypass_content_filters_group: ['role:moderators', true, false],
    can_add_subscribers_group: ['role:members', true, false],
    can_create_bots_group: ['role:members', true, false],
    can_create_groups: ['role:members', true, false],
    can_create_private_channel_group: ['role:members', true, false],
    can_create_public_channel_group: ['role:members', true, false],
    can_create_write_only_bots_group: ['role:members', true, false],
    can_move_messages_between_channels_group: ['role:members', true, false],
    can_delete_any_message_group: ['role:administrators', true, false],
    // Specification: deleting is for administrators.
    can_delete_own_message_group: ['role:administrators', true, true],
    can_set_topics_policy_group: ['role:members', true, true],
    can_set_delete_message_policy_group: ['role:moderators', true, false],
    can_mention_many_users_group: ['role:administrators', true, true],
    can_move_messages_between_topics_group: ['role:everyone', true, true],
    can_resolve_topics_group: ['role:everyone', true, true],
    can_summarize_topics_group: ['role:everyone', true, true],
    direct_message_initiator_group: ['role:everyone', true, true],
    direct_message_permission_group: ['role:everyone', true, true],
    workplace_users_group: ['role:everyone', true, true],
  },
  stream: {
    can_add_subscribers_group: ['role:nobody', true, false],
    can_subscribe_group: ['role:nobody', true, false],
    can_administer_channel_group: ['channel_creator', true, false],
    can_remove_subscribers_group: ['role:administrators', true, true],
    can_send_message_group: ['role:everyone', true, true],
    can_create_topic_group: ['role:everyone', true, true],
    can_delete_any_message_group: ['role:nobody', true, true],
    can_delete_own_message_group: ['role:nobody', true, true],
    can_move_messages_out_of_channel_group: ['role:nobody', true, true],
    can_move_messages_within_channel_group: ['role:nobody', true, true],
    can_resolve_topics_group: ['role:nobody', true, true],
  },
  group: {
    can_add_members_group: ['group_creator', true, false],
    can_manage_group: ['group_creator', true, false],
    can_join_group: ['role:nobody', true, false],
    can_remove_members_group: ['role:nobody', true, false],
    can_leave_group: ['role:everyone', true, true],
    can_mention_group: ['role:everyone', true, true],
  },
}
const onlySystemGroups: Readonly<Record<string, string[]>> = {
  can_access_all_users_group: ['role:everyone', 'role:members'],
  can_create_web_public_channel_group: ['role:moderators', 'role:administrators', 'role:owners', 'role:nobody'],
}

test('lists the groups each permission accepts, as at feature level 489', async () => {
  await using w = await world()
  const state = await w.people.hamlet.api.post('/register', { fetch_event_types: ['realm'] })
  const expected = Object.entries(reference).map(([kind, permissions]) => [
    kind,
    Object.fromEntries(
      Object.entries(permissions).map(([name, [initial, nobody, everyone]]) => [
        name,
        {
          require_system_group: name in onlySystemGroups,
          allow_internet_group: false,
          allow_nobody_group: nobody,
          allow_everyone_group: everyone,
          default_group_name: initial,
          default_for_system_groups: kind === 'group' ? 'role:nobody' : null,
          allowed_system_groups: onlySystemGroups[name] ?? [],
        },
      ]),
    ),
  ])
  assert.deepEqual(state.server_supported_permission_settings, Object.fromEntries(expected))
})

/** Tries every system group as the value of every permission of a kind, and compares the answers with the reference. */
async function tryAll(w: World, kind: string, change: (params: Record<string, unknown>) => Promise<string>) {
  for (const [name, [, nobody, everyone]] of Object.entries(reference[kind]!)) {
    for (const group of systemGroupNames) {
      const answer = await change({ [name]: { new: await roleId(w, group) } })
      const allowed =
        group !== 'role:internet' &&
        (group !== 'role:nobody' || nobody) &&
        (group !== 'role:everyone' || everyone) &&
        (onlySystemGroups[name]?.includes(group) ?? true)
      if (!allowed) assert.equal(answer, `'${name}' setting cannot be set to '${group}' group.`)
      else if (kind !== 'realm' || organizationSettings[name as SettingName].effect !== 'none') {
        assert.equal(answer, 'ok', `${name} ${group}`)
      } else assert.match(answer, /^(ok|'.*' cannot be changed: this server .*\.)$/)
    }
  }
}

test("rejects invalid groups for an organization's permissions", async () => {
  await using w = await world()
  await tryAll(w, 'realm', async (params) => outcome(await w.people.iago.api.patch('/realm', params)))
  const { group_id } = await w.people.iago.api.post('/user_groups/create', { name: 'x', description: '', members: [] })
  for (const name of Object.keys(onlySystemGroups)) {
    for (const value of [group_id, { direct_members: [w.people.hamlet.id], direct_subgroups: [] }]) {
      const answer = await w.people.iago.api.patch('/realm', { [name]: { new: value } })
      assert.deepEqual([answer.msg, answer.code], [`'${name}' must be a system user group.`, 'SYSTEM_GROUP_REQUIRED'])
    }
  }
})

test("rejects invalid groups for a stream's permissions", async () => {
  await using w = await world()
  const path = `/streams/${await w.streamId('general')}`
  await tryAll(w, 'stream', async (params) => outcome(await w.people.iago.api.patch(path, params)))
})

test("rejects invalid groups for a group's permissions", async () => {
  await using w = await world()
  const { iago } = w.people
  const { group_id } = await iago.api.post('/user_groups/create', { name: 'x', description: '', members: [] })
  await tryAll(w, 'group', async (params) => outcome(await iago.api.patch(`/user_groups/${group_id}`, params)))
})

test('guests have no power over others in any group', async () => {
  await using w = await world()
  const { iago, hamlet, polonius } = w.people
  const group = { description: '', members: [polonius.id] }
  const { group_id } = await iago.api.post('/user_groups/create', { ...group, name: 'advisers' })
  const everyone = await roleId(w, 'role:everyone')
  const wide = await iago.api.post('/user_groups/create', {
    name: 'all',
    description: '',
    members: [],
    subgroups: [everyone],
  })
  const { id } = await hamlet.says('to be')
  const stream_id = await w.streamId('general')
  await create(iago, 'general', { principals: [polonius.id] })
  const named = { direct_members: [polonius.id], direct_subgroups: [] }
  for (const value of [group_id, wide.group_id, named]) {
    const powers = {
      can_delete_any_message_group: { new: value },
      can_create_groups: { new: value },
      can_create_public_channel_group: { new: value },
      can_add_custom_emoji_group: { new: value },
      can_manage_all_groups: { new: value },
    }
    assert.equal(outcome(await iago.api.patch('/realm', powers)), 'ok')
    assert.equal(
      outcome(await iago.api.patch(`/streams/${stream_id}`, { can_administer_channel_group: { new: value } })),
      'ok',
    )
    const { api } = polonius
    assert.equal((await api.delete(`/messages/${id}`)).msg, "You don't have permission to delete this message")
    assert.equal((await create(polonius, 'court')).msg, 'Insufficient permission')
    assert.equal((await api.post('/user_groups/create', { ...group, name: 'y' })).msg, 'Insufficient permission')
    assert.equal((await api.patch(`/user_groups/${group_id}`, { name: 'y' })).msg, 'Insufficient permission')
    assert.equal(
      (await api.patch(`/streams/${stream_id}`, { description: 'y' })).msg,
      'You do not have permission to administer this channel.',
    )
  }
})

test('rejects a change whose expected old value is outdated', async () => {
  await using w = await world()
  const { iago } = w.people
  const [members, owners] = [await roleId(w, 'role:members'), await roleId(w, 'role:owners')]
  const path = `/streams/${await w.streamId('general')}`
  const refused = ["'old' value does not match the expected value.", 'EXPECTATION_MISMATCH']
  for (const [where, name] of [
    ['/realm', 'can_create_groups'],
    [path, 'can_send_message_group'],
  ] as const) {
    const wrong = await iago.api.patch(where, { [name]: { new: members, old: owners } })
    assert.deepEqual([wrong.msg, wrong.code], refused)
    await iago.api.patch(where, { [name]: { new: owners } })
    assert.equal(outcome(await iago.api.patch(where, { [name]: { new: members, old: owners } })), 'ok')
  }
})

test('an empty group is stored as the nobody group', async () => {
  await using w = await world()
  const none = { direct_members: [], direct_subgroups: [] }
  await w.people.iago.api.patch('/realm', { can_create_groups: { new: none } })
  const state = await w.people.iago.api.post('/register', { fetch_event_types: ['realm'] })
  assert.equal(state.realm_can_create_groups, await roleId(w, 'role:nobody'))
  assert.match(
    outcome(await w.people.iago.api.patch('/realm', { can_manage_all_groups: { new: none } })),
    /role:nobody/,
  )
})
