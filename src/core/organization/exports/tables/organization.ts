import { settingsOf } from '../../../settings/organization.ts'
import {
  type OrganizationSettings,
  organizationSettings,
  type SettingName,
} from '../../../settings/organization-table.ts'
import { userSettingNames } from '../../../settings/user.ts'
import { settingDefaultsOf } from '../../../settings/user-defaults.ts'
import { customEmojiById, fileName } from '../../emoji/custom-emoji.ts'
import { pictureKinds } from '../../pictures.ts'
import { numbered, REALM, type Row, type Rows, type Source } from './source.ts'

const GIB_IN_MIB = 1024
const historyPolicies = { all: 1, moves: 2, none: 3 } as const

/** Settings whose column has another name or form, or that have none. */
const otherColumns: Partial<{ [N in SettingName]: (value: never) => Row }> = {
  authentication_methods: () => ({}),
  message_edit_history_visibility_policy: (value: keyof typeof historyPolicies) => ({
    message_edit_history_visibility_policy: historyPolicies[value],
  }),
  upload_quota_mib: (mib: number | null) => ({
    custom_upload_quota_gb: mib === null ? null : Math.ceil(mib / GIB_IN_MIB),
  }),
}

/** The organization: a column for each setting. */
export async function organization(source: Source): Promise<Rows> {
  const { db, reader } = source
  const row = await db.selectFrom('organization').selectAll().executeTakeFirstOrThrow()
  const settings = await settingsOf(reader)
  const pictures = await db.selectFrom('organization_picture').selectAll().execute()
  const pictureOf = (kind: (typeof pictureKinds)[number]) => {
    const picture = pictures.find((one) => one.kind === kind)
    const source = picture?.blob_id == null ? (kind === 'icon' ? 'G' : 'D') : 'U'
    return { [`${kind}_source`]: source, [`${kind}_version`]: picture?.version ?? 1 }
  }
  return [
    [
      {
        id: REALM,
        string_id: '',
        uuid: row.uuid,
        date_created: row.created_at,
        deactivated: row.deactivated_at !== null,
        deactivated_redirect: null,
        scheduled_deletion_date: null,
        demo_organization_scheduled_deletion_date: null,
        push_notifications_enabled: false,
        push_notifications_enabled_end_timestamp: null,
        message_visibility_limit: null,
        first_visible_message_id: 0,
        zulip_update_announcements_level: null,
        plan_type: 1,
        _max_invites: null,
        ...Object.assign({}, ...Object.entries(settings).map(([name, value]) => columnOf(source, name, value))),
        ...Object.assign({}, ...pictureKinds.map(pictureOf)),
      },
    ],
  ]
}

function columnOf({ scope, groupOf }: Source, name: string, value: unknown): Row {
  const other = otherColumns[name as SettingName]
  if (other) return other(value as never)
  const { kind } = organizationSettings[name as keyof OrganizationSettings]
  if (kind === 'permission') return { [name]: groupOf(value as Parameters<typeof groupOf>[0]) }
  if (kind !== 'stream') return { [name]: value }
  return { [name.replace(/_id$/, '')]: scope.streams.has(value as number) ? value : null }
}

export async function authenticationMethods({ reader }: Source): Promise<Rows> {
  const { authentication_methods } = await settingsOf(reader)
  const enabled = Object.entries(authentication_methods).filter(([, isEnabled]) => isEnabled)
  return numbered(enabled.map(([name]) => ({ realm: REALM, name })))
}

/** Yields the default settings of new accounts. */
export async function userDefaults({ reader }: Source): Promise<Rows> {
  const values = await settingDefaultsOf(reader)
  return numbered([{ realm: REALM, ...Object.fromEntries(userSettingNames.map((name) => [name, values[name]])) }])
}

export async function emoji({ reader }: Source): Promise<Rows> {
  const all = [...(await customEmojiById(reader)).values()]
  return all.map((one) => [
    {
      id: one.id,
      author: one.author_id,
      realm: REALM,
      name: one.name,
      file_name: fileName(one),
      is_animated: one.is_animated === 1,
      deactivated: one.is_deactivated === 1,
    },
  ])
}

export async function domains({ db }: Source): Promise<Rows> {
  const rows = await db.selectFrom('organization_domain').selectAll().orderBy('id').execute()
  return [
    rows.map(({ allow_subdomains, ...row }) => ({ ...row, realm: REALM, allow_subdomains: allow_subdomains === 1 })),
  ]
}

export async function linkifiers({ db }: Source): Promise<Rows> {
  const rows = await db.selectFrom('linkifier').selectAll().orderBy('id').execute()
  return [
    rows.map(({ position: order, alternative_url_templates, ...row }) => ({
      ...row,
      alternative_url_templates: JSON.parse(alternative_url_templates),
      realm: REALM,
      order,
    })),
  ]
}

export async function playgrounds({ db }: Source): Promise<Rows> {
  const rows = await db.selectFrom('playground').selectAll().orderBy('id').execute()
  return [rows.map((row) => ({ ...row, realm: REALM }))]
}

export async function profileFields({ db }: Source): Promise<Rows> {
  const rows = await db.selectFrom('profile_field').selectAll().orderBy('id').execute()
  return [
    rows.map(({ type, position, display_in_profile_summary, required, editable_by_user, ...row }) => ({
      ...row,
      realm: REALM,
      field_type: type,
      order: position,
      display_in_profile_summary: display_in_profile_summary === 1,
      required: required === 1,
      editable_by_user: editable_by_user === 1,
      use_for_user_matching: row.use_for_user_matching === 1,
    })),
  ]
}

export async function presenceSequence({ db }: Source): Promise<Rows> {
  const newest = await db
    .selectFrom('presence')
    .select((eb) => eb.fn.max('update_id').as('id'))
    .executeTakeFirst()
  return numbered([{ realm: REALM, last_update_id: newest?.id ?? 0 }])
}

/** Lists the programs that other tables have named. */
export const clients = ({ clients }: Source): Rows => [[...clients].map(([name, id]) => ({ id, name }))]
