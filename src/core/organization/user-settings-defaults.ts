import * as v from 'valibot'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import { TIME_SETTING } from '../settings/hour-cycle.ts'
import { changeParams, namesOf } from '../settings/setting.ts'
import { type UserSettings, userSettings } from '../settings/user.ts'
import { putSettingDefault, settingDefaultsOf } from '../settings/user-defaults.ts'
import { empty } from '../shapes/values.ts'

/** Settings without a default: only the user decides, or another setting of the organization does. */
const { allow_private_data_export: _, default_language: __, ...settable } = userSettings
const names = namesOf(settable)

/**
 * PATCH /realm/user_settings_defaults: changes the default settings of new accounts. Existing accounts keep their
 * settings.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST for a value that a setting doesn't accept
 * @example
 * await updateSettingsDefaults(admin, { twenty_four_hour_time: true })
 */
export const updateSettingsDefaults = action(
  {
    name: 'updateSettingsDefaults',
    summary: 'Update the default settings of new users',
    audit: { subject: 'defaults_of_accounts' },
    params: v.object(changeParams(settable)),
    result: empty,
    role: 'administrator',
  },
  (caller, requested) =>
    caller.write(async (tx) => {
      for (const name of names) {
        const given = requested[name]
        if (!given) continue
        const { value } = given as { value: UserSettings[typeof name] }
        const isSame = (await settingDefaultsOf(tx))[name] === value
        // Once chosen, it no longer follows the language.
        if (!isSame || name === TIME_SETTING) await putSettingDefault(tx, name, value)
        if (!isSame)
          await emit(tx, { type: 'realm_user_settings_defaults', op: 'update', property: name, value }, everyone)
      }
      return {}
    }),
)
