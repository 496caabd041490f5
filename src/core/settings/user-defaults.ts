import { defineCache } from '../kernel/cache.ts'
import type { Context, SystemTx } from '../kernel/context.ts'
import { hasDayHours, TIME_SETTING } from './hour-cycle.ts'
import { settingsOf } from './organization.ts'
import { namesOf, withStored } from './setting.ts'
import { putUserSetting, type UserSettingName, type UserSettings, userSettings } from './user.ts'

/** The stored settings for new accounts. */
const defaults = defineCache('user-setting-defaults', async (db) => {
  const rows = await db.selectFrom('user_setting_default').select(['name', 'value']).execute()
  return { values: withStored(userSettings, rows), hasTime: rows.some(({ name }) => name === TIME_SETTING) }
})

/** Returns the organization's settings for new accounts. Unless it has chosen how to write times, its language decides. */
export async function settingDefaultsOf(context: Context): Promise<UserSettings> {
  const { values, hasTime } = await defaults.get(context)
  if (hasTime) return values
  const { default_language } = await settingsOf(context)
  return { ...values, twenty_four_hour_time: hasDayHours(default_language) }
}

/** Stores a checked value. The caller emits the event. */
export async function putSettingDefault<N extends UserSettingName>(
  tx: SystemTx,
  name: N,
  value: UserSettings[N],
): Promise<void> {
  const json = JSON.stringify(value)
  await tx.db
    .insertInto('user_setting_default')
    .values({ name, value: json })
    .onConflict((oc) => oc.column('name').doUpdateSet({ value: json }))
    .execute()
  defaults.invalidate(tx)
}

/** Gives a new account the organization's settings where they differ from the server's. */
export async function giveSettingDefaults(tx: SystemTx, user_id: number): Promise<void> {
  const { values, hasTime } = await defaults.get(tx)
  for (const name of namesOf(userSettings)) {
    const differs = name === TIME_SETTING ? hasTime : values[name] !== userSettings[name].default
    if (differs) await putUserSetting(tx, user_id, name, values[name])
  }
}
