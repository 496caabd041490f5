import { type Db, statement, type Tables } from '../../storage/index.ts'
import { type Facts, Hidden } from './base/difference.ts'

type Row = Readonly<Record<string, unknown>>
type Reader = (db: Db, id: number) => Promise<Facts | null>

/** Columns that say nothing to people: forms of other columns, and counters. */
const derived: ReadonlySet<string> = new Set([
  ...['id', 'name_key', 'email_key', 'rendered_description', 'first_message_id', 'is_recently_active'],
  ...['subscriber_count', 'blob_id', 'begun_at', 'finished_at', 'size', 'from_message_id'],
])
/** Secret columns: the log shows only that they changed. */
const secret: ReadonlySet<string> = new Set([
  'digest',
  'sealed',
  'nonce',
  'path',
  'token',
  'config_data',
  'password_hash',
  'client_secret',
  'password',
])
/** Columns with lists as JSON. */
const lists: ReadonlySet<string> = new Set(['stream_ids', 'group_ids', 'alternative_url_templates', 'channels'])

function factsOf(row: Row | undefined): Facts | null {
  if (!row) return null
  const facts: Record<string, unknown> = {}
  for (const [name, value] of Object.entries(row)) {
    if (derived.has(name)) continue
    if (secret.has(name)) facts[name] = value === null ? null : new Hidden(String(value))
    else if (name === 'settings') Object.assign(facts, JSON.parse(String(value)))
    else facts[name] = lists.has(name) ? JSON.parse(String(value)) : value
  }
  return facts
}

/** Reads a row by its id. */
const row =
  (table: keyof Tables): Reader =>
  async (db, id) =>
    factsOf(
      await db
        .selectFrom(table as 'linkifier')
        .selectAll()
        .where('id', '=', id)
        .executeTakeFirst(),
    )

// Compiled once, because commands create thousands of accounts in one write.
const userRow = statement((db, p: { id: number }) =>
  db
    .selectFrom('user')
    .select(['full_name', 'delivery_email', 'role', 'is_active', 'bot_type', 'bot_owner_id', 'password_hash'])
    .where('id', '=', p.id),
)
const botRow = statement((db, p: { id: number }) => db.selectFrom('bot').selectAll().where('user_id', '=', p.id))
const profileRows = statement((db, p: { id: number }) =>
  db.selectFrom('profile_value').select(['field_id', 'value']).where('user_id', '=', p.id),
)

/** The kinds of objects in the audit log, and how to read the facts that are compared. Texts of messages are none. */
const readers = {
  async user(db, id) {
    const [user] = await userRow(db, { id })
    const [bot] = user?.bot_type == null ? [] : await botRow(db, { id })
    const fields = (await profileRows(db, { id })).map(({ field_id, value }) => [`profile_field_${field_id}`, value])
    return user ? { ...factsOf(user), ...factsOf(bot), ...Object.fromEntries(fields) } : null
  },
  channel: row('stream'),
  async group(db, id) {
    const members = await db
      .selectFrom('user_group_member')
      .select('user_id')
      .where('group_id', '=', id)
      .orderBy('user_id')
      .execute()
    const subgroups = await db
      .selectFrom('user_group_subgroup')
      .select('subgroup_id')
      .where('group_id', '=', id)
      .orderBy('subgroup_id')
      .execute()
    const facts = await row('user_group')(db, id)
    return (
      facts && {
        ...facts,
        members: members.map(({ user_id }) => user_id),
        subgroups: subgroups.map(({ subgroup_id }) => subgroup_id),
      }
    )
  },
  async message(db, id) {
    const found = await db
      .selectFrom('message')
      .leftJoin('topic', 'topic.id', 'message.topic_id')
      .leftJoin('stream', 'stream.id', 'message.conversation_id')
      .leftJoin('pinned_message', 'pinned_message.message_id', 'message.id')
      .select(['sender_id', 'conversation_id', 'message.topic_id', 'sent_at', 'content', 'topic.name', 'invite_only'])
      .select('pinned_at')
      .where('message.id', '=', id)
      .executeTakeFirst()
    if (!found) return null
    const { name, invite_only, content, pinned_at, ...place } = found
    // Owners can't read every private channel, so names of topics in them are left out.
    return {
      ...place,
      length: content.length,
      topic: invite_only === 0 ? name : null,
      pinned: pinned_at !== null || null,
    }
  },
  async organization(db) {
    const settings = await db.selectFrom('organization_setting').selectAll().orderBy('name').execute()
    const own = await db.selectFrom('organization').select(['name', 'description', 'deactivated_at']).executeTakeFirst()
    return { ...Object.fromEntries(settings.map(({ name, value }) => [name, JSON.parse(value)])), ...own }
  },
  async defaults_of_accounts(db) {
    const rows = await db.selectFrom('user_setting_default').selectAll().orderBy('name').execute()
    return Object.fromEntries(rows.map(({ name, value }) => [name, JSON.parse(value)]))
  },
  async default_channels(db) {
    const rows = await db.selectFrom('default_stream').selectAll().orderBy('stream_id').execute()
    return { channels: rows.map(({ stream_id }) => stream_id) }
  },
  async default_channel_groups(db) {
    const rows = await db.selectFrom('default_stream_group').selectAll().orderBy('id').execute()
    return Object.fromEntries(rows.map((group) => [`group_${group.id}`, factsOf(group)]))
  },
  folder: row('channel_folder'),
  key: row('api_key'),
  invitation: row('invitation'),
  domain: row('organization_domain'),
  command: row('bot_command'),
  /** Without its URL, which may be a secret. */
  async feed(db, id) {
    const columns = ['bot_id', 'kind', 'stream_id', 'topic'] as const
    return factsOf(await db.selectFrom('feed').select(columns).where('id', '=', id).executeTakeFirst())
  },
  /** Without its address: people without an account couldn't have it erased. */
  async mail(db, id) {
    return factsOf(await db.selectFrom('mail').select(['kind', 'state']).where('id', '=', id).executeTakeFirst())
  },
  async mail_server(db) {
    const found = await db.selectFrom('mail_server').selectAll().limit(1).executeTakeFirst()
    if (!found) return null
    const { config, ...columns } = found
    return { ...(factsOf(columns) as Facts), ...JSON.parse(config) }
  },
  linkifier: row('linkifier'),
  playground: row('playground'),
  content_filter: row('content_filter'),
  profile_field: row('profile_field'),
  /** Without the message's text and place. */
  async report(db, id) {
    const columns = ['message_id', 'author_id', 'state', 'taken_by', 'decision'] as const
    return factsOf(await db.selectFrom('report').select(columns).where('id', '=', id).executeTakeFirst())
  },
  async sign_on_provider(db, id) {
    const found = await db.selectFrom('sign_on_provider').selectAll().where('id', '=', id).executeTakeFirst()
    if (!found) return null
    const { config, ...columns } = found
    return { ...(factsOf(columns) as Facts), ...JSON.parse(config) }
  },
  /** Without the message's text and place. */
  async held_message(db, id) {
    const columns = ['user_id', 'state', 'reason', 'decided_by', 'message_id'] as const
    return factsOf(await db.selectFrom('held_message').select(columns).where('id', '=', id).executeTakeFirst())
  },
  webhook_template: row('webhook_template'),
  export: row('data_export'),
  emoji: row('custom_emoji'),
  import: async () => null,
} satisfies Readonly<Record<string, Reader>>

export type SubjectKind = keyof typeof readers
export const subjectKinds = Object.keys(readers) as SubjectKind[]

/** Kinds with one object, which has no id. */
const single: ReadonlySet<SubjectKind> = new Set([
  'organization',
  'defaults_of_accounts',
  'default_channels',
  'default_channel_groups',
  'mail_server',
])

/** Returns the facts of an object; null if there is none. */
export async function readSubject(db: Db, kind: SubjectKind, id: number | null | undefined): Promise<Facts | null> {
  if (single.has(kind)) return readers[kind](db, 0)
  return id == null ? null : readers[kind](db, id)
}
