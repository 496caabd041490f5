import assert from 'node:assert/strict'
import test from 'node:test'
import * as v from 'valibot'
import { updateOrganization } from '../../src/core/organization/update.ts'
import { organizationSettings } from '../../src/core/settings/organization-table.ts'
import type { SettingsTable } from '../../src/core/settings/setting.ts'
import { userSettings } from '../../src/core/settings/user.ts'
import { world } from '../../src/testing/index.ts'
import { outcome } from './proofs.ts'

const long = (length: number) => 'x'.repeat(length)

/** Values that some schemas accept. */
const candidates = [true, false, 0, 1, 2, 3, 4, 5, 7, 'unlimited', 'x', 'none', 'all', { Email: true }]
const others = (table: SettingsTable, name: string) => {
  const { schema, default: initial, kind } = table[name]!
  if (kind === 'permission') return []
  const taken = candidates.filter((value) => v.is(schema as v.GenericSchema, value))
  return taken.filter(
    (value) => JSON.stringify(value) !== JSON.stringify(initial) && !(value === 'unlimited' && initial === -1),
  )
}
const unsupported = (table: SettingsTable) => Object.keys(table).filter((name) => table[name]!.effect === 'none')

test("explains which organization settings can't be enabled", async () => {
  await using w = await world()
  const { api } = w.people.iago
  await w.events()
  for (const name of unsupported(organizationSettings)) {
    for (const value of others(organizationSettings, name)) {
      const { status, msg } = await api.patch('/realm', { [name]: value })
      assert.equal(status, 400, `${name} ${value}`)
      assert.match(msg, new RegExp(`^'${name}' cannot be changed: this server .*\\.$`))
    }
    const { kind, default: initial } = (organizationSettings as SettingsTable)[name]!
    const actual = name === 'message_retention_days' ? 'unlimited' : initial
    if (kind !== 'permission') assert.equal(outcome(await api.patch('/realm', { [name]: actual })), 'ok', name)
  }
  assert.deepEqual(await w.events(), [])
})

test('keeps preferences about what the server does not do, and everything else of the request', async () => {
  await using w = await world()
  const { api } = w.people.hamlet
  const kept = Object.entries(userSettings).filter(([, { effect }]) => effect === 'kept')
  assert.ok(kept.length > 0)
  for (const [name] of kept) {
    const [value] = others(userSettings, name)
    assert.notEqual(value, undefined, name)
    const answer = await api.patch('/settings', { [name]: value, high_contrast_mode: true })
    assert.equal(outcome(answer), 'ok', name)
    const { user_settings } = await api.post('/register', { fetch_event_types: ['user_settings'] })
    assert.deepEqual([user_settings[name], user_settings.high_contrast_mode], [value, true], name)
    await api.patch('/settings', { high_contrast_mode: false })
    assert.equal(outcome(await w.people.iago.api.patch('/realm/user_settings_defaults', { [name]: value })), 'ok')
  }
})

test("applies the other settings of a request when the server doesn't support one", async () => {
  await using w = await world()
  const { api } = w.people.iago
  const zulip_update_announcements_stream_id = await w.streamId('general')
  const answer = await api.patch('/realm', {
    presence_disabled: true,
    zulip_update_announcements_stream_id,
    want_advertise_in_communities_directory: true,
  })
  assert.deepEqual(
    [answer.status, answer.ignored_parameters_unsupported],
    [200, ['want_advertise_in_communities_directory', 'zulip_update_announcements_stream_id']],
  )
  const realm = await api.post('/register', { fetch_event_types: ['realm'] })
  assert.deepEqual(
    [
      realm.realm_presence_disabled,
      realm.realm_zulip_update_announcements_stream_id,
      realm.realm_want_advertise_in_communities_directory,
    ],
    [true, -1, false],
  )
  // Unknown names are in the same list, and the value that a setting has anyway is not.
  const again = await api.patch('/realm', {
    want_advertise_in_communities_directory: false,
    zulip_update_announcements_stream_id,
    name: 'Kronborg',
    zz: 1,
  })
  assert.deepEqual(again.ignored_parameters_unsupported, ['zz', 'zulip_update_announcements_stream_id'])
  const wrong = await api.patch('/realm', {
    zulip_update_announcements_stream_id,
    presence_disabled: false,
    media_preview_size: 1,
  })
  assert.equal(wrong.msg, 'Invalid media_preview_size')
})

test("administrators can't change owner settings, and others can change nothing", async () => {
  await using w = await world({ people: { adam: { role: 'administrator' }, mona: { role: 'moderator' } } })
  const owners = Object.entries(organizationSettings).filter(([, setting]) => 'who' in setting)
  assert.deepEqual(owners.map(([name]) => name).sort(), [
    'api_token_max_days',
    'audit_retention_days',
    'authentication_methods',
    'can_invite_users_group',
    'can_manage_all_groups',
    'can_manage_billing_group',
    'create_multiuse_invite_group',
    'disallow_disposable_email_addresses',
    'emails_restricted_to_domains',
    'invite_required',
    'message_retention_days',
    'second_factor_required_for',
    'session_idle_days',
    'session_max_days',
    'terms_required_after',
    'terms_text',
    'terms_version',
    'upload_quota_mib',
    'waiting_period_threshold',
  ])
  for (const [name, setting] of Object.entries(organizationSettings)) {
    const value = setting.kind === 'permission' ? { new: 2 } : setting.default
    const given = value ?? (name === 'jitsi_server_url' ? 'default' : 'unlimited')
    const params = { [name]: name === 'message_retention_days' ? 'unlimited' : name === 'name' ? 'Elsinore' : given }
    for (const who of [w.person('mona'), w.people.hamlet, w.people.polonius]) {
      assert.equal((await who.api.patch('/realm', params)).msg, 'Must be an organization administrator', name)
    }
    const answer = await w.person('adam').api.patch('/realm', params)
    const refusal = ['Must be an organization owner', 'UNAUTHORIZED_PRINCIPAL']
    if ('who' in setting) assert.deepEqual([answer.msg, answer.code], refusal, name)
    else assert.notEqual(answer.msg, refusal[0], name)
  }
})

const nonsense: readonly [params: Record<string, unknown>, msg: string][] = [
  [{ name: long(41) }, 'name is too long (limit: 40 characters)'],
  [{ name: ' ' }, 'name cannot be blank'],
  [{ description: long(1001) }, 'description is too long (limit: 1000 characters)'],
  [{ org_type: 5 }, 'Invalid org_type'],
  [{ default_language: 'zz' }, "Invalid language 'zz'"],
  [{ waiting_period_threshold: -1 }, "Bad value for 'waiting_period_threshold': -1"],
  [{ waiting_period_threshold: 1.5 }, 'waiting_period_threshold is not an integer'],
  [{ message_retention_days: 0 }, "Bad value for 'message_retention_days': 0"],
  [{ message_retention_days: -1 }, "Bad value for 'message_retention_days': -1"],
  [{ message_content_edit_limit_seconds: -5 }, "Bad value for 'message_content_edit_limit_seconds': -5"],
  [{ message_content_edit_limit_seconds: 0 }, "Bad value for 'message_content_edit_limit_seconds': 0"],
  [{ message_content_edit_limit_seconds: 'soon' }, "Bad value for 'message_content_edit_limit_seconds': soon"],
  [{ message_content_delete_limit_seconds: 0 }, "Bad value for 'message_content_delete_limit_seconds': 0"],
  [{ move_messages_within_stream_limit_seconds: 0 }, "Bad value for 'move_messages_within_stream_limit_seconds': 0"],
  [{ message_edit_history_visibility_policy: 'some' }, 'Invalid message_edit_history_visibility_policy'],
  [{ presence_disabled: 'maybe' }, 'presence_disabled is not a boolean'],
  [{ topics_policy: 'empty_topic_only' }, 'Invalid topics_policy'],
  [{ gif_rating_policy: 9 }, 'Invalid gif_rating_policy 9'],
  [{ media_preview_size: 120 }, 'Invalid media_preview_size'],
  [{ video_chat_provider: 9 }, 'Invalid video_chat_provider 9'],
  [{ video_chat_provider: 3 }, 'Invalid video_chat_provider 3'],
  [{ digest_weekday: -7 }, 'Invalid digest_weekday'],
  [{ digest_weekday: 7 }, 'Invalid digest_weekday'],
  ...['foo', 'javascript:alert(1)', 'ftp://example.com', 'https://', 'data:text/html,x', '//example.com', ' '].map(
    (url): [Record<string, unknown>, string] => [{ jitsi_server_url: url }, 'jitsi_server_url is not an allowed_type'],
  ),
  [{ jitsi_server_url: `https://example.com/${long(200)}` }, 'jitsi_server_url is too long (limit: 200 characters)'],
  [{ default_code_block_language: long(81) }, 'default_code_block_language is too long (limit: 80 characters)'],
  [{ authentication_methods: {} }, 'At least one authentication method must be enabled.'],
  [{ authentication_methods: { Email: false } }, 'At least one authentication method must be enabled.'],
  [
    { authentication_methods: { Email: true, GitHub: true } },
    "Invalid authentication method: GitHub. Valid methods are: ['Email']",
  ],
  [{ new_stream_announcements_stream_id: 99 }, 'Invalid channel ID'],
  [{ new_stream_announcements_stream_id: -2 }, 'Invalid channel ID'],
  [{ can_create_groups: 999 }, 'Invalid user group ID: 999'],
  [{ can_create_groups: { new: 'role:members' } }, 'can_create_groups has an invalid value'],
]

test("rejects invalid values with the API's messages and changes nothing", async () => {
  await using w = await world()
  const { api } = w.people.iago
  await w.events()
  for (const [params, msg] of nonsense) {
    const answer = await api.patch('/realm', { presence_disabled: true, ...params })
    assert.deepEqual([answer.status, answer.msg], [400, msg], JSON.stringify(params))
  }
  assert.deepEqual(await w.events(), [])
})

test('treats removed settings as unknown parameters', async () => {
  await using w = await world()
  const gone = ['allow_edit_history', 'wildcard_mention_policy', 'giphy_rating', 'private_message_policy']
  const answer = await w.people.iago.api.patch('/realm', Object.fromEntries(gone.map((name) => [name, 1])))
  assert.deepEqual(answer.ignored_parameters_unsupported, gone)
})

test('stores settings as given, including special values', async () => {
  await using w = await world()
  const { api } = w.people.iago
  const shown = async (name: string) => (await api.post('/register', { fetch_event_types: ['realm'] }))[`realm_${name}`]
  const steps: [name: string, given: unknown, kept: unknown][] = [
    ['message_content_edit_limit_seconds', 60, 60],
    ['message_content_edit_limit_seconds', 'unlimited', null],
    ['jitsi_server_url', 'https://meet.example.com', 'https://meet.example.com'],
    ['jitsi_server_url', 'default', null],
    ['jitsi_server_url', '"https://calls.example.com"', 'https://calls.example.com'],
    ['org_type', 1000, 1000],
    ['name', 'Helsingør', 'Helsingør'],
    ['description', 'Two\nlines', 'Two\nlines'],
    ['description', '', ''],
    ['video_chat_provider', 1, 1],
    ['signup_announcements_stream_id', await w.streamId('general'), await w.streamId('general')],
    ['signup_announcements_stream_id', -1, -1],
  ]
  for (const [name, given, kept] of steps) {
    assert.equal(outcome(await api.patch('/realm', { [name]: given })), 'ok', name)
    assert.deepEqual(await shown(name), kept, name)
  }
})

test('lists organization settings and their types in the library', async () => {
  await using w = await world()
  const { iago } = w.people
  await updateOrganization(iago, { presence_disabled: true, message_content_edit_limit_seconds: 'unlimited' })
  // @ts-expect-error: it is a boolean.
  await assert.rejects(updateOrganization(iago, { presence_disabled: 'yes' }), /presence_disabled is not a boolean/)
  // @ts-expect-error: one of a list.
  await assert.rejects(updateOrganization(iago, { org_type: 5 }), /Invalid org_type/)
  // @ts-expect-error: there is no such setting.
  await updateOrganization(iago, { mandatory_topic: true })
})
