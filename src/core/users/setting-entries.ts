import type * as v from 'valibot'
import { type UserSettingName, type UserSettings, userSettings } from '../settings/user.ts'

/** The schema of each personal setting, as an answer shows it. */
export const userSettingEntries = Object.fromEntries(
  Object.entries(userSettings).map(([name, { schema }]) => [name, schema]),
) as { [N in UserSettingName]: v.GenericSchema<UserSettings[N]> }
