import * as v from 'valibot'
import { observersOf } from '../access/user-visibility.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, line, text } from '../kernel/fields.ts'
import { isAdministrator, isBot, roles } from '../kernel/roles.ts'
import { languageName } from '../settings/choices.ts'
import { settingsOf } from '../settings/organization.ts'
import { changeParams } from '../settings/setting.ts'
import {
  putUserSetting,
  type UserSettingName,
  type UserSettings,
  userSettingNames,
  userSettings,
  userSettingsOf,
} from '../settings/user.ts'
import type { UserSettingValue } from '../shapes/setting.ts'
import { empty } from '../shapes/values.ts'
import { changeEmail } from '../users/email.ts'
import { changeUser } from '../users/people.ts'
import { hidePresence } from '../users/presence-rows.ts'
import { email, fullName, password } from './create.ts'
import { setPassword } from './keys.ts'
import { hashPassword, tryPassword, verifyPassword } from './passwords.ts'
import { giveEmail, setFullName } from './update-user.ts'

const timezone = v.pipe(
  line,
  v.check((zone) => zone === '' || isTimezone(zone), 'timezone is not a recognized time zone'),
)

/**
 * PATCH /settings, and its older form PATCH /settings/notifications: changes the given settings.
 *
 * @throws BAD_REQUEST "Wrong password!", and for a name that is taken or may not be changed
 */
export const updateSettings = action(
  {
    name: 'updateSettings',
    summary: 'Update your settings',
    params: v.object({
      full_name: described(v.nullish(fullName), 'Your full name.'),
      email: described(
        v.nullish(email),
        'Your e-mail address: it counts at once, as the server sends no mail to confirm it.',
      ),
      timezone: described(v.nullish(timezone), 'A name of the IANA time zone database, or empty.'),
      old_password: described(v.nullish(text), 'Your present password, to change it.'),
      new_password: described(v.nullish(password), 'The new password.'),
      ...changeParams(userSettings),
    }),
    result: empty,
  },
  async (caller, { full_name, email, timezone, old_password, new_password, ...requested }) => {
    const { chat, user } = caller
    let password_hash: string | undefined
    if (new_password) {
      const stored = await caller.db
        .selectFrom('user')
        .select('password_hash')
        .where('id', '=', user.id)
        .executeTakeFirst()
      const right = await tryPassword(caller, user.delivery_email, () =>
        verifyPassword(old_password ?? '', stored?.password_hash, chat.options.passwordCost),
      )
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
      if (email && email !== user.delivery_email) await changeOwnEmail(tx, email)
      for (const name of userSettingNames) {
        const given = requested[name]
        if (given) await setSetting(tx, name, given.value)
      }
    })
    return {}
  },
)

/** Stores one of the writer's settings and emits its events. */
async function setSetting<N extends UserSettingName>(tx: Tx, name: N, value: UserSettings[N]): Promise<void> {
  if ((await userSettingsOf(tx))[name] === value) return
  await putUserSetting(tx, tx.user.id, name, value)
  await announce(tx, name, value)
  if (name === 'email_address_visibility') {
    if (isBot(tx.user)) throw badRequest('Insufficient permission')
    await changeEmail(tx, tx.user.id, { visibility: value as UserSettings['email_address_visibility'] })
  }
  if (name === 'allow_private_data_export' && !isBot(tx.user)) {
    const consent = { user_id: tx.user.id, consented: value === true }
    await emit(tx, { type: 'realm_export_consent', ...consent }, { role: roles.administrator })
  }
  if (name === 'presence_enabled' && value === false) await hidePresence(tx)
}

async function changeOwnEmail(tx: Tx, email: string): Promise<void> {
  if ((await settingsOf(tx)).email_changes_disabled && !isAdministrator(tx.user)) {
    throw badRequest('Email address changes are disabled in this organization.')
  }
  await giveEmail(tx, tx.user, email)
}

async function setTimezone(tx: Tx, timezone: string): Promise<void> {
  const { id: user_id, email } = tx.user
  await changeUser(tx, user_id, { timezone })
  await announce(tx, 'timezone', timezone)
  await emit(
    tx,
    { type: 'realm_user', op: 'update', person: { user_id, email, timezone } },
    await observersOf(tx, tx.user),
  )
}

async function announce(tx: Tx, property: string, value: UserSettingValue): Promise<void> {
  const named = property === 'default_language' && { language_name: languageName(String(value)) }
  await emit(tx, { type: 'user_settings', op: 'update', property, value, ...named }, only(tx.user.id))
}

function isTimezone(zone: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: zone })
    return true
  } catch {
    return false
  }
}
