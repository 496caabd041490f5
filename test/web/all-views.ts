import type { TestServer } from '../../src/testing/index.ts'

/** Addresses of the views that everyone has. */
export const views = [
  '#inbox',
  '#recent',
  '#missed',
  '#drafts',
  '#scheduled',
  '#streams',
  '#streams/1',
  '#people',
  '#search',
  '#narrow',
  '#narrow/is/starred',
  '#settings/profile',
  '#settings/display',
  '#settings/account',
  '#settings/writing',
  '#settings/notifications',
  '#settings/words',
  '#settings/muted',
  '#settings/sessions',
  '#settings/bots',
  '#settings/apps',
  '#settings/groups',
  '#settings/invitations',
  '#settings/emoji',
]

/** Views that only administrators have. */
export const administratorViews = [
  '#streams/1',
  '#settings/organization',
  '#settings/messages',
  '#settings/accounts',
  '#settings/permissions',
  '#settings/users',
  '#settings/groups',
  '#settings/invitations',
  '#settings/newcomers',
  '#settings/folders',
  '#settings/fields',
  '#settings/linkifiers',
  '#settings/integrations',
  '#settings/playgrounds',
  '#settings/domains',
  '#settings/providers',
  '#settings/exports',
  '#settings/imports',
  '#settings/reports',
  '#settings/audit',
  '#settings/mail',
]

/** Something on each page of settings. Needs a channel for reports, named so. */
export async function fillSettings({ iago, hamlet, cordelia }: TestServer['people']): Promise<string> {
  const { group_id } = await hamlet.api.post('/user_groups/create', {
    name: 'cooks',
    description: 'Who cooks',
    members: [hamlet.id, cordelia.id],
  })
  await hamlet.api.patch(`/user_groups/${group_id}`, {
    can_mention_group: { new: { direct_members: [iago.id], direct_subgroups: [] } },
  })
  for (const [short_name, bot_type] of [
    ['builds', 1],
    ['hub', 2],
    ['out', 3],
  ] as const) {
    const names = { short_name, full_name: `Bot ${short_name}`, payload_url: '"https://example.com"' }
    await hamlet.api.post('/bots', { ...names, bot_type })
  }
  await hamlet.api.post('/users/me/alert_words', { alert_words: ['ghost'] })
  await hamlet.api.post(`/users/me/muted_users/${cordelia.id}`)
  await iago.api.post('/invites/multiuse')
  await iago.api.post('/invites', { invitee_emails: 'ann@example.com', stream_ids: [] })
  await iago.api.post('/realm/filters', { pattern: 'T-(?P<id>[0-9]+)', url_template: 'https://example.com/{id}' })
  await iago.api.post('/realm/webhook_templates', { name: 'ci', content: '{{ title }}' })
  const playground = { name: 'Try', pygments_language: 'Python', url_template: 'https://example.com/{code}' }
  await iago.api.post('/realm/playgrounds', playground)
  await iago.api.post('/realm/domains', { domain: 'example.com', allow_subdomains: true })
  for (const field_type of [1, 2, 4, 6]) {
    await iago.api.post('/realm/profile_fields', { name: `Field ${field_type}`, hint: 'Some help', field_type })
  }
  await iago.api.post('/default_stream_groups/create', { group_name: 'Work', description: '', stream_names: [] })
  await iago.api.post('/export/realm', { export_type: 1 })
  await iago.api.post('/users/me/exports')
  const { stream_id } = await iago.api.get('/get_stream_id', { stream: 'reports' })
  await iago.api.patch('/realm', { moderation_request_channel_id: stream_id })
  const { id } = await hamlet.says('Buy now')
  await cordelia.api.post(`/messages/${id}/report`, { report_type: 'spam', description: 'an ad' })
  return `#settings/groups/${group_id}`
}
