import type { Selectable } from 'kysely'
import { fold, type UserTable } from '../../../../storage/index.ts'
import { groupBy } from '../../../kernel/base/lists.ts'
import { randomText } from '../../../kernel/base/random.ts'
import { pacer } from '../../../kernel/slices.ts'
import { dialectOf } from '../../../kernel/store.ts'
import { namesOf } from '../../../settings/setting.ts'
import { type UserSettings, userSettings, userSettingsFrom } from '../../../settings/user.ts'
import { settingDefaultsOf } from '../../../settings/user-defaults.ts'
import { recipientOfUser } from './recipients.ts'
import { mapped, paged, REALM, type Row, type Rows, type Source } from './source.ts'

type Account = Selectable<UserTable>

const NOBODY = 4
const AT_ONCE = 50

/**
 * Yields accounts, or placeholder accounts for users who didn't agree while others did. A placeholder has messages,
 * but no one can use it until its owner signs up again.
 */
export async function* users(source: Source, which: 'accounts' | 'substitutes'): AsyncGenerator<Row[]> {
  const { db, reader, scope } = source
  const names = namesOf(userSettings)
  const columnsOf = (settings: UserSettings) => Object.fromEntries(names.map((name) => [name, settings[name]]))
  // Most people have changed nothing.
  const unchanged = userSettingsFrom([])
  const [ownDefaults, defaults] = [columnsOf(unchanged), columnsOf(await settingDefaultsOf(reader))]
  const turn = pacer(reader)
  const bots = new Map((await db.selectFrom('bot').selectAll().execute()).map((bot) => [bot.user_id, bot]))
  const streams = await db.selectFrom('stream').select(['id', 'name_key']).execute()
  const idOf = new Map(streams.filter((one) => scope.streams.has(one.id)).map((one) => [one.name_key, one.id]))
  const streamOf = (name: string | null | undefined) => (name == null ? null : (idOf.get(fold(name)) ?? null))
  const pages = paged((after, limit) =>
    db
      .selectFrom('user')
      .selectAll()
      .where('id', '>', after)
      .where('is_system_bot', '=', 0)
      .orderBy('id')
      .limit(limit)
      .execute(),
  )
  for await (const page of pages) {
    const stored = await db
      .selectFrom('user_setting')
      .selectAll()
      .where('user_id', 'in', dialectOf(reader.chat).idsIn(page.map((user) => user.id)))
      .execute()
    const settingsOf = groupBy(stored, (row) => row.user_id)
    const toRow = (user: Account): Row[] => {
      const changed = settingsOf.get(user.id)
      const own = changed ? userSettingsFrom(changed) : unchanged
      const isPrivate = !scope.consenting.has(user.id)
      const isHidden = isPrivate && own.email_address_visibility === NOBODY
      const isSubstitute = isPrivate && ((scope.kind === 'consent' && user.is_active === 1) || isHidden)
      if (isSubstitute !== (which === 'substitutes')) return []
      const bot = bots.get(user.id)
      const row = {
        ...accountRow(user, isSubstitute),
        ...(isHidden && {
          delivery_email: `exported-user-${randomText(reader.chat.random, 32).toLowerCase()}@${hostOf(source)}`,
        }),
        ...(isPrivate
          ? { ...defaults, email_address_visibility: own.email_address_visibility }
          : changed
            ? columnsOf(own)
            : ownDefaults),
        default_sending_stream: streamOf(bot?.default_sending_stream),
        default_events_register_stream: streamOf(bot?.default_events_register_stream),
        default_all_public_streams: bot?.default_all_public_streams === 1,
      }
      return [row]
    }
    // Each has a hundred settings, so a whole page in one step would block others.
    for (let i = 0; i < page.length; i += AT_ONCE) {
      yield page.slice(i, i + AT_ONCE).flatMap(toRow)
      await turn()
    }
  }
}

const hostOf = ({ reader }: Source): string => new URL(reader.chat.options.publicUrl).hostname

/** An account without its secrets. */
const accountRow = (user: Account, isSubstitute: boolean): Row => ({
  id: user.id,
  realm: REALM,
  recipient: recipientOfUser(user.id),
  email: user.email,
  delivery_email: user.delivery_email,
  full_name: user.full_name,
  date_joined: user.date_joined,
  role: user.role,
  is_active: user.is_active === 1 && !isSubstitute,
  is_mirror_dummy: isSubstitute,
  is_bot: user.bot_type !== null,
  bot_type: user.bot_type,
  bot_owner: user.bot_owner_id,
  timezone: user.timezone,
  avatar_source: user.avatar_source,
  avatar_version: user.avatar_version,
  ...constants,
})

/** Columns without a value on this server. */
const constants = {
  avatar_hash: null,
  can_change_user_emails: false,
  can_create_users: false,
  can_forge_sender: false,
  groups: [],
  is_staff: false,
  is_superuser: false,
  last_active_message_id: null,
  last_login: null,
  last_reminder: null,
  long_term_idle: false,
  rate_limits: '',
  tos_version: null,
  user_permissions: [],
  zoom_token: null,
}

/** The server's own accounts. */
export const systemBots = ({ scope }: Source): Rows =>
  [...scope.bots].map(([id, email]) => [{ id, email, recipient_id: recipientOfUser(id) }])

/** Public, because everyone sees it. */
export const presences = ({ db }: Source): Rows =>
  mapped(
    paged((after, limit) =>
      db
        .selectFrom('presence')
        .select(['user_id as id', 'active_at', 'idle_at', 'update_id'])
        .where('user_id', '>', after)
        .orderBy('user_id')
        .limit(limit)
        .execute(),
    ),
    ({ id, active_at, idle_at, update_id }) => ({
      id,
      user_profile: id,
      realm: REALM,
      last_active_time: active_at,
      last_connected_time: idle_at ?? active_at,
      last_update_id: update_id,
    }),
  )

/** Public too. */
export async function* profileValues({ db }: Source): AsyncGenerator<Row[]> {
  let id = 0
  const users = paged((after, limit) =>
    db.selectFrom('user').select('id').where('id', '>', after).orderBy('id').limit(limit).execute(),
  )
  for await (const page of users) {
    const rows = await db
      .selectFrom('profile_value')
      .selectAll()
      .where('user_id', '>=', page[0]!.id)
      .where('user_id', '<=', page.at(-1)!.id)
      .orderBy('user_id')
      .orderBy('field_id')
      .execute()
    yield rows.map(({ user_id, field_id, value, rendered_value }) => ({
      id: ++id,
      user_profile: user_id,
      field: field_id,
      value,
      rendered_value,
    }))
  }
}
