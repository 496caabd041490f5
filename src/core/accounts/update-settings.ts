import * as v from 'valibot'
import { action } from '../action.ts'
import type { Tx } from '../context.ts'
import { badRequest } from '../errors.ts'
import { everyone, only } from '../event-log/audience.ts'
import { emit } from '../event-log/emit.ts'
import { described, line, text } from '../fields.ts'
import { isAdministrator } from '../roles.ts'
import { settingsOf } from '../settings/organization.ts'
import {
  cachedUserSettings,
  type UserSettingName,
  type UserSettings,
  userSettings,
  userSettingsOf,
} from '../settings/user.ts'
import type { UserSettingValue } from '../shapes/setting.ts'
import { empty } from '../shapes/values.ts'
import { hidePresence } from '../users/presence.ts'
import { changeUser } from '../users/user-row.ts'
import { fullName, password } from './create.ts'
import { setPassword } from './keys.ts'
import { hashPassword, verifyPassword } from './passwords.ts'
import { setFullName } from './update-user.ts'

const names = Object.keys(userSettings) as UserSettingName[]

const timezone = v.pipe(
  line,
  v.check((zone) => zone === '' || isTimezone(zone), 'timezone is not a recognized time zone'),
)

const settingParams = Object.fromEntries(names.map((name) => [name, v.nullish(userSettings[name].schema)])) as {
  // The schemas of the table, one for each name: the table says what each takes.
  [N in UserSettingName]: v.NullishSchema<v.GenericSchema<UserSettings[N]>, undefined>
}

/** PATCH /settings, and its older half PATCH /settings/notifications: what is not said stays as it is. */
export const updateSettings = action(
  {
    name: 'updateSettings',
    summary: 'Update your settings',
    params: v.object({
      full_name: described(v.nullish(fullName), 'Your full name.'),
      timezone: described(v.nullish(timezone), 'A name of the IANA time zone database, or empty.'),
      old_password: described(v.nullish(text), 'Your present password, to change it.'),
      new_password: described(v.nullish(password), 'The new password.'),
      ...settingParams,
    }),
    result: empty,
  },
  async (caller, { full_name, timezone, old_password, new_password, ...requested }) => {
    const { chat, user } = caller
    let password_hash: string | undefined
    if (new_password) {
      const stored = await caller.db
        .selectFrom('user')
        .select('password_hash')
        .where('id', '=', user.id)
        .executeTakeFirst()
      const right = await verifyPassword(old_password ?? '', stored?.password_hash, chat.options.passwordCost)
      if (!right) throw badRequest('Wrong password!')
      password_hash = await hashPassword(new_password, chat.options.passwordCost)
    }
    await caller.write(async (tx) => {
      if (password_hash) await setPassword(tx, user.id, password_hash, caller.key_id)
      if (full_name && full_name !== user.full_name) {
        if ((await settingsOf(tx)).name_changes_disabled && !isAdministrator(user)) {
          throw badRequest('Name changes are disabled in this organization.')
        }
        await setFullName(tx, user, full_name)
      }
      if (timezone != null && timezone !== user.timezone) await setTimezone(tx, timezone)
      for (const name of names) {
        const value = requested[name]
        if (value !== undefined && value !== null) await setSetting(tx, name, value)
      }
    })
    return {}
  },
)

/** Stores one of the writer's settings, and tells their clients. */
async function setSetting(tx: Tx, name: UserSettingName, value: UserSettingValue): Promise<void> {
  const user_id = tx.user.id
  if ((await userSettingsOf(tx))[name] === value) return
  const json = JSON.stringify(value)
  await tx.db
    .insertInto('user_setting')
    .values({ user_id, name, value: json })
    .onConflict((oc) => oc.columns(['user_id', 'name']).doUpdateSet({ value: json }))
    .execute()
  cachedUserSettings.invalidate(tx, user_id)
  await announce(tx, name, value)
  if (name === 'presence_enabled' && value === false) await hidePresence(tx)
}

async function setTimezone(tx: Tx, timezone: string): Promise<void> {
  const { id: user_id, email } = tx.user
  await changeUser(tx, user_id, { timezone })
  await announce(tx, 'timezone', timezone)
  await emit(tx, { type: 'realm_user', op: 'update', person: { user_id, email, timezone } }, everyone)
}

async function announce(tx: Tx, property: string, value: UserSettingValue): Promise<void> {
  await emit(tx, { type: 'user_settings', op: 'update', property, value }, only(tx.user.id))
}

function isTimezone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
