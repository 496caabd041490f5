import type { RecordOf } from '../../../import/format.ts'
import { addressKey, flag, fold, insertBlob } from '../../../storage/index.ts'
import { groupGraph } from '../../access/group-graph.ts'
import type { Avatar } from '../../accounts/avatar.ts'
import { foreignHash } from '../../accounts/foreign-passwords.ts'
import { storedGroups } from '../../groups/stored.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Tx } from '../../kernel/context.ts'
import { type RoleName, roles } from '../../kernel/roles.ts'
import { emojiCode } from '../../markup/emoji/catalogue.ts'
import { settingsOf } from '../../settings/organization.ts'
import { giveSettingDefaults } from '../../settings/user-defaults.ts'
import { allAlertWords } from '../../users/alerted.ts'
import { usersMuting } from '../../users/muted-users.ts'
import { invalidatePeople } from '../../users/people.ts'
import { MAX_PROFILE_VALUE_LENGTH, MAX_STATUS_LENGTH } from './belongings.ts'
import type { UserDecision } from './decision.ts'
import type { Journal } from './journal.ts'

/** Creates an account, or notes the existing account of the person. Returns its id. */
export async function writeUser(
  tx: Tx,
  journal: Journal,
  record: RecordOf<'user'>,
  decision: UserDecision,
  avatar: Avatar | undefined,
): Promise<number> {
  if (decision.how === 'existing') {
    await journal.note(tx.db, 'user', record.id, { id: decision.id, isNew: false })
    return decision.id
  }
  const { email, name, how, address } = decision
  const owner = record.owner === undefined ? undefined : journal.get('user', record.owner)?.id
  const now = seconds(tx.chat.clock)
  const put = ({ bytes, content_type }: Avatar['small']) => insertBlob(tx.db, bytes, content_type, now)
  const { id } = await tx.db
    .insertInto('user')
    .values({
      email,
      delivery_email: email,
      email_key: addressKey(email),
      full_name: name,
      name_key: fold(name),
      role: how === 'stub' && record.role !== 'guest' ? roles.member : roles[(record.role ?? 'member') as RoleName],
      is_active: flag(how === 'new' && record.active !== false),
      bot_type: record.bot ? 1 : null,
      bot_owner_id: record.bot ? (owner ?? null) : null,
      is_system_bot: 0,
      date_joined: Math.floor(record.joined ?? now),
      timezone: isTimezone(record.timezone) ? record.timezone! : '',
      avatar_source: avatar ? 'U' : (await settingsOf(tx)).default_avatar_source,
      avatar_version: 1,
      avatar_blob_id: avatar ? await put(avatar.small) : null,
      avatar_medium_blob_id: avatar ? await put(avatar.medium) : null,
      password_hash: how === 'new' && record.password && foreignHash(record.password) ? record.password : null,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  invalidatePeople(tx)
  await journal.note(tx.db, 'user', record.id, { id, isNew: true })
  if (address !== undefined && !journal.get('address', addressKey(address)))
    await journal.note(tx.db, 'address', addressKey(address), { id, isNew: false })
  if (how === 'stub') return id
  await giveSettingDefaults(tx, id)
  await writeBelongings(tx, journal, record, id)
  return id
}

function isTimezone(name: string | undefined): boolean {
  try {
    return name !== undefined && name.length < 60 && new Intl.DateTimeFormat('en', { timeZone: name }) !== undefined
  } catch {
    return false
  }
}

async function writeBelongings(tx: Tx, journal: Journal, record: RecordOf<'user'>, user_id: number): Promise<void> {
  const text = [...(record.status?.text ?? '')].slice(0, MAX_STATUS_LENGTH).join('')
  const code = record.status?.emoji === undefined ? undefined : emojiCode(record.status.emoji)
  if (text !== '' || code !== undefined) {
    const emoji = code === undefined ? ['', '', ''] : [record.status!.emoji!, code, 'unicode_emoji']
    const [emoji_name, emoji_code, reaction_type] = emoji as [string, string, 'unicode_emoji' | '']
    await tx.db
      .insertInto('user_status')
      .values({ user_id, status_text: text, emoji_name, emoji_code, reaction_type, away: 0 })
      .execute()
  }
  for (const [field, value] of Object.entries(record.profile ?? {})) {
    const field_id = journal.get('profile_field', field)?.id
    const short = [...value].slice(0, MAX_PROFILE_VALUE_LENGTH).join('').toWellFormed().replaceAll('\0', '')
    if (field_id === undefined || short === '') continue
    await tx.db.insertInto('profile_value').values({ user_id, field_id, value: short, rendered_value: null }).execute()
  }
  const words = new Map(
    (record.alert_words ?? []).filter(Boolean).map((word) => [fold(word), [...word].slice(0, 100).join('')]),
  )
  for (const [word_key, word] of [...words].slice(0, 500)) {
    await tx.db.insertInto('alert_word').values({ user_id, word, word_key }).execute()
  }
  if (words.size > 0) allAlertWords.invalidate(tx)
}

/** People are muted by people who may come later: written when all are there. */
export async function writeMutes(tx: Tx, journal: Journal, record: RecordOf<'user'>): Promise<void> {
  const own = journal.get('user', record.id)
  if (!own?.isNew || journal.get('mutes', record.id)) return
  for (const other of new Set(record.muted_users)) {
    const muted = journal.get('user', other)
    if (!muted || muted.id === own.id) continue
    const row = { user_id: own.id, muted_user_id: muted.id, muted_at: seconds(tx.chat.clock) }
    await tx.db
      .insertInto('muted_user')
      .values(row)
      .onConflict((oc) => oc.doNothing())
      .execute()
    usersMuting.invalidate(tx, muted.id)
  }
  await journal.note(tx.db, 'mutes', record.id, { id: own.id, isNew: false })
}

const fieldKinds = { short_text: 1, long_text: 2, link: 5 } as const

export async function writeProfileField(tx: Tx, journal: Journal, record: RecordOf<'profile_field'>): Promise<void> {
  const name = [...record.name].slice(0, 40).join('')
  const same = await tx.db.selectFrom('profile_field').select('id').where('name', '=', name).executeTakeFirst()
  if (same) return journal.note(tx.db, 'profile_field', record.id, { id: same.id, isNew: false })
  const { position } = await tx.db
    .selectFrom('profile_field')
    .select((eb) => eb.fn.countAll<number>().as('position'))
    .executeTakeFirstOrThrow()
  const { id } = await tx.db
    .insertInto('profile_field')
    .values({
      name,
      hint: [...(record.hint ?? '')].slice(0, 80).join(''),
      field_data: '',
      type: fieldKinds[record.kind ?? 'short_text'],
      position: position + 1,
      display_in_profile_summary: 0,
      required: 0,
      editable_by_user: 1,
      use_for_user_matching: 0,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  invalidatePeople(tx)
  await journal.note(tx.db, 'profile_field', record.id, { id, isNew: true })
}

export async function writeGroup(tx: Tx, journal: Journal, record: RecordOf<'group'>): Promise<number> {
  const { id } = await tx.db
    .insertInto('user_group')
    .values({
      name: record.name,
      name_key: fold(record.name),
      description: [...(record.description ?? '')].slice(0, 1024).join(''),
      settings: '{}',
      is_system_group: 0,
      is_deactivated: 0,
      creator_id: null,
      date_created: seconds(tx.chat.clock),
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const members = new Set(record.members.flatMap((source) => journal.get('user', source)?.id ?? []))
  for (const user_id of members) await tx.db.insertInto('user_group_member').values({ group_id: id, user_id }).execute()
  const subgroups = new Set((record.subgroups ?? []).flatMap((source) => journal.get('group', source)?.id ?? []))
  for (const subgroup_id of subgroups)
    await tx.db.insertInto('user_group_subgroup').values({ group_id: id, subgroup_id }).execute()
  groupGraph.invalidate(tx)
  storedGroups.invalidate(tx)
  await journal.note(tx.db, 'group', record.id, { id, isNew: true })
  return id
}
