import assert from 'node:assert/strict'
import test from 'node:test'
import type { Insertable } from 'kysely'
import type { Tables } from '../../src/storage/index.ts'
import { type Person, world } from '../../src/testing/index.ts'

// How many of a thing there may be. The first ones are rows, as asking for each would take long.

const numbers = (count: number) => Array.from({ length: count }, (_, i) => i)

/** As many rows as are allowed. */
const fill = <T extends keyof Tables>(
  who: Person,
  table: T,
  count: number,
  row: (i: number) => Insertable<Tables[T]>,
) =>
  who.write(async ({ db }) => {
    for (let start = 0; start < count; start += 500) {
      const rows = numbers(Math.min(500, count - start)).map((i) => row(start + i))
      await db.insertInto(table).values(rows).execute()
    }
  })

type Limit = readonly [
  fill: (who: Person, stream_id: number) => Promise<void>,
  ask: (who: Person, stream_id: number) => Promise<{ status: number; msg: string }>,
  sentence: string,
]

const inStream = (stream_id: number) => ({ type: 'stream', to: [stream_id], topic: 't', content: 'c', timestamp: 1 })
const limits: Readonly<Record<string, Limit>> = {
  domains: [
    (who) => fill(who, 'organization_domain', 1000, (i) => ({ domain: `d${i}.example`, allow_subdomains: 0 as const })),
    (who) => who.api.post('/realm/domains', { domain: 'one.example', allow_subdomains: false }),
    'An organization can have at most 1000 domains.',
  ],
  playgrounds: [
    (who) =>
      fill(who, 'playground', 1000, (i) => ({
        name: `p${i}`,
        pygments_language: 'python',
        url_template: 'https://example.com/{code}',
      })),
    (who) =>
      who.api.post('/realm/playgrounds', {
        name: 'one',
        pygments_language: 'python',
        url_template: 'https://example.com/{code}',
      }),
    'An organization can have at most 1000 playgrounds.',
  ],
  'groups of default streams': [
    (who) => fill(who, 'default_stream_group', 1000, (i) => ({ name: `g${i}`, description: '', stream_ids: '[]' })),
    (who) =>
      who.api.post('/default_stream_groups/create', { group_name: 'one', description: '', stream_names: ['general'] }),
    'An organization can have at most 1000 default channel groups.',
  ],
  'channel folders': [
    (who) =>
      fill(who, 'channel_folder', 1000, (i) => ({
        name: `f${i}`,
        name_key: `f${i}`,
        description: '',
        rendered_description: '',
        position: i,
        date_created: 0,
        creator_id: null,
        is_archived: 0 as const,
      })),
    (who) => who.api.post('/channel_folders/create', { name: 'one', description: '' }),
    'An organization can have at most 1000 channel folders.',
  ],
  'user groups': [
    (who) =>
      fill(who, 'user_group', 10_000, (i) => ({
        name: `g${i}`,
        name_key: `g${i}`,
        description: '',
        is_system_group: 0 as const,
        creator_id: who.id,
        date_created: 0,
        is_deactivated: 0 as const,
        settings: '{}',
      })),
    (who) => who.api.post('/user_groups/create', { name: 'one', description: '', members: [] }),
    'An organization can have at most 10000 user groups.',
  ],
  devices: [
    (who) =>
      fill(who, 'push_token', 100, (i) => ({
        user_id: who.id,
        kind: 'gcm' as const,
        token: `t${i}`,
        app_id: null,
        created_at: 0,
      })),
    (who) => who.api.post('/users/me/android_gcm_reg_id', { token: 'one' }),
    'You can register at most 100 devices.',
  ],
  'alert words': [
    (who) => fill(who, 'alert_word', 500, (i) => ({ user_id: who.id, word: `w${i}`, word_key: `w${i}` })),
    (who) => who.api.post('/users/me/alert_words', { alert_words: ['one'] }),
    'Too many alert words; at most 500',
  ],
  drafts: [
    (who, stream_id) =>
      fill(who, 'draft', 10_000, () => ({
        user_id: who.id,
        type: 'stream' as const,
        recipients: `[${stream_id}]`,
        topic: 't',
        content: 'c',
        edited_at: 0,
      })),
    (who, stream_id) => who.api.post('/drafts', { drafts: [inStream(stream_id)] }),
    'Too many drafts; at most 10000 per user',
  ],
  'scheduled messages': [
    (who, stream_id) =>
      fill(who, 'scheduled_message', 10_000, () => ({
        sender_id: who.id,
        conversation_id: stream_id,
        topic: 't',
        content: 'c',
        rendered_content: '<p>c</p>',
        client: 'x',
        deliver_at: 4_000_000_000,
        failed: 0 as const,
        failure_message: null,
        read_by_sender: null,
      })),
    (who, stream_id) =>
      who.api.post('/scheduled_messages', {
        type: 'stream',
        to: stream_id,
        topic: 't',
        content: 'c',
        scheduled_delivery_timestamp: 4_000_000_000,
      }),
    'Too many scheduled messages; at most 10000 per user',
  ],
  invitations: [
    (who) =>
      fill(who, 'invitation', 1000, (i) => ({
        inviter_id: who.id,
        email: `p${i}@example.com`,
        email_key: `p${i}@example.com`,
        nonce: `n${i}`,
        role: 400,
        created_at: 0,
        expires_at: null,
        notify_referrer: 0 as const,
        include_defaults: 0 as const,
        is_multiuse: 0 as const,
        revoked: 0 as const,
        stream_ids: '[]',
        group_ids: '[]',
      })),
    (who) => who.api.post('/invites/multiuse', {}),
    'You can have at most 1000 open invitations.',
  ],
}

for (const [things, [fillUp, ask, sentence]] of Object.entries(limits)) {
  test(`limits the number of ${things} to what the server can show together`, async () => {
    await using w = await world()
    const { iago } = w.people
    const { stream_id } = await iago.api.get('/get_stream_id', { stream: 'general' })
    await fillUp(iago, stream_id)
    const { status, msg } = await ask(iago, stream_id)
    assert.deepEqual([status, msg], [400, sentence])
  })
}

test('limits the number of people in a request', async () => {
  await using w = await world()
  const { iago } = w.people
  const many = await iago.api.post('/invites', {
    invitee_emails: numbers(101)
      .map((i) => `p${i}@example.com`)
      .join(','),
    stream_ids: [],
  })
  assert.deepEqual([many.status, many.msg], [400, 'You can invite at most 100 people at a time.'])
})
