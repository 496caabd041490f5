import { asNumber, asText, asTexts } from '../archive/json.ts'
import { type NewRecord, type Placed, senderNames } from '../format.ts'
import { byMember, idOf, placeOf, type ZulipTables } from './zulip-tables.ts'

const roles = { 100: 'owner', 200: 'administrator', 300: 'moderator', 400: 'member', 600: 'guest' } as const
const fieldKinds = { 1: 'short_text', 2: 'long_text', 5: 'link' } as const
const systemBots = { 'notification-bot': 'notification', 'welcome-bot': 'welcome', emailgateway: 'mail' } as const

/** Addresses that Zulip gives to deleted accounts, and to people who hide theirs and didn't agree to an export. */
const PLACEHOLDER = /^(?:deleteduser\d+|exported-user-[a-z\d]{16,})@/i

type UserRecord = Extract<NewRecord, { type: 'user' }>

export function* fields(tables: ZulipTables): Generator<Placed> {
  for (const row of tables.rows('zerver_customprofilefield').toSorted((a, b) => (a.order ?? 0) - (b.order ?? 0))) {
    const kind = fieldKinds[row.field_type as 1]
    const place = placeOf('customprofilefield', row)
    const id = idOf(row.id)
    if (!kind || !id)
      yield {
        record: { type: 'left_out', kind: 'profile field', reason: 'fields of this type are not imported', place },
        place,
      }
    else
      yield {
        record: { type: 'profile_field', id, name: asText(row.name) ?? '', hint: asText(row.hint) ?? '', kind },
        place,
      }
  }
}

export function* people(
  tables: ZulipTables,
  avatars: ReadonlyMap<string, string>,
): Generator<{ record: UserRecord; place: string }> {
  const values = byMember(tables.rows('zerver_customprofilefieldvalue'), 'user_profile')
  const statuses = byMember(tables.rows('zerver_userstatus'), 'user_profile')
  const words = byMember(tables.rows('zerver_alertword'), 'user_profile')
  const mutes = byMember(tables.rows('zerver_muteduser'), 'user_profile')
  for (const row of tables.rows('zerver_userprofile_crossrealm')) {
    const id = idOf(row.id)
    const name = asText(row.email)?.split('@')[0] ?? id
    if (!id || !name) continue
    const system = systemBots[name as keyof typeof systemBots]
    const record: UserRecord = { type: 'user', id, name, bot: true, stub: true, ...(system && { system }) }
    yield { record, place: placeOf('userprofile', row) }
  }
  for (const row of [...tables.rows('zerver_userprofile'), ...tables.rows('zerver_userprofile_mirrordummy')].toSorted(
    (a, b) => a.id - b.id,
  )) {
    const id = idOf(row.id)
    if (!id) continue
    const address = asText(row.delivery_email) ?? asText(row.email)
    const email = address && PLACEHOLDER.test(address) ? undefined : address
    const status = statuses.get(id)?.[0]
    const owner = idOf(row.bot_owner)
    const joined = asNumber(row.date_joined)
    const own = (values.get(id) ?? []).map((one) => [idOf(one.field) ?? '', String(one.value ?? '')])
    yield {
      record: {
        type: 'user',
        id,
        name: asText(row.full_name) ?? id,
        role: roles[row.role as 100] ?? 'member',
        active: row.is_active !== false,
        ...(row.is_mirror_dummy === true && { stub: true }),
        ...(email && { email }),
        ...(row.is_bot === true && { bot: true }),
        ...(owner && owner !== id && { owner }),
        ...(joined !== undefined && { joined }),
        ...(asText(row.password)?.includes('$') && { password: asText(row.password)! }),
        ...(asText(row.timezone) && { timezone: asText(row.timezone)! }),
        ...(avatars.has(id) && { avatar: avatars.get(id)! }),
        ...(status && {
          status: {
            text: asText(status.status_text) ?? '',
            ...(asText(status.emoji_name) && { emoji: asText(status.emoji_name)! }),
          },
        }),
        ...(own.length > 0 && { profile: Object.fromEntries(own) }),
        ...(words.has(id) && { alert_words: asTexts(words.get(id)!.map((one) => one.word)) }),
        ...(mutes.has(id) && { muted_users: mutes.get(id)!.flatMap((one) => idOf(one.muted_user) ?? []) }),
      },
      place: placeOf('userprofile', row),
    }
  }
}

export function* groups(tables: ZulipTables): Generator<Placed> {
  const members = byMember(tables.rows('zerver_usergroupmembership'), 'user_group')
  const subgroups = byMember(tables.rows('zerver_groupgroupmembership'), 'supergroup')
  const named = [
    ...tables.rows('zerver_namedusergroup'),
    ...tables.rows('zerver_usergroup').filter((row) => asText(row.name)),
  ]
  const own = new Map(named.filter((row) => row.is_system_group !== true).map((row) => [idOf(row.id) ?? '', row]))
  for (const [id, row] of own) {
    const record: NewRecord = {
      type: 'group',
      id,
      name: asText(row.name) ?? id,
      description: asText(row.description) ?? '',
      members: (members.get(id) ?? []).flatMap((one) => idOf(one.user_profile) ?? []),
      subgroups: (subgroups.get(id) ?? []).flatMap((one) => idOf(one.subgroup) ?? []).filter((one) => own.has(one)),
      active: row.deactivated !== true,
    }
    yield { record, place: placeOf('usergroup', row) }
  }
}

type SenderName = (typeof senderNames)[number]
/** Values of the setting that older exports have in the place of a group. */
const postPolicies: Readonly<Record<number, SenderName>> = { 2: 'administrators', 3: 'fullmembers', 4: 'moderators' }

/** Channels, with a remark where a permission can't be kept. */
export function* streams(
  tables: ZulipTables,
): Generator<{ record: Extract<NewRecord, { type: 'channel' }>; place: string; remark?: string }> {
  const roleOf = new Map(
    [...tables.rows('zerver_namedusergroup'), ...tables.rows('zerver_usergroup')].flatMap((row) => {
      const name = asText(row.name)?.replace(/^role:/, '')
      return row.is_system_group === true && senderNames.includes(name as SenderName)
        ? [[idOf(row.id) ?? '', name as SenderName]]
        : []
    }),
  )
  const defaults = new Set(tables.rows('zerver_defaultstream').map((row) => idOf(row.stream)))
  for (const row of tables.rows('zerver_stream')) {
    const id = idOf(row.id)
    if (!id) continue
    const [creator, created, days] = [
      idOf(row.creator),
      asNumber(row.date_created),
      asNumber(row.message_retention_days),
    ]
    const group = idOf(row.can_send_message_group)
    const isCustom = group !== undefined && !roleOf.has(group)
    const can_send = isCustom
      ? 'administrators'
      : group === undefined
        ? postPolicies[asNumber(row.stream_post_policy) ?? 1]
        : roleOf.get(group)
    yield {
      record: {
        type: 'channel',
        id,
        name: asText(row.name) ?? id,
        description: asText(row.description) ?? '',
        private: row.invite_only === true,
        protected_history: row.invite_only === true && row.history_public_to_subscribers !== true,
        web_public: row.is_web_public === true,
        archived: row.deactivated === true,
        default: defaults.has(id),
        ...(can_send && { can_send }),
        ...(creator && { creator }),
        ...(created !== undefined && { created }),
        ...(days !== undefined && { retention_days: days }),
      },
      place: placeOf('stream', row),
      ...(isCustom && { remark: 'only administrators can send, because its group for that is not imported' }),
    }
  }
}
