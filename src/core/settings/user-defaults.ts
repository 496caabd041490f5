import type { Soon } from '../../storage/index.ts'
import { defineCache } from '../kernel/cache.ts'
import type { Context, SystemTx } from '../kernel/context.ts'
import { namesOf, withStored } from './setting.ts'
import { putUserSetting, type UserSettingName, type UserSettings, userSettings } from './user.ts'

/** The organization's settings for new accounts. */
const defaults = defineCache('user-setting-defaults', async (db): Promise<UserSettings> => {
  const rows = await db.selectFrom('user_setting_default').select(['name', 'value']).execute()
  return withStored(userSettings, rows)
})

export const settingDefaultsOf = (context: Pick<Context, 'cache'>): Soon<UserSettings> => defaults.get(context)

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
  const values = await settingDefaultsOf(tx)
  for (const name of namesOf(userSettings)) {
    if (values[name] !== userSettings[name].default) await putUserSetting(tx, user_id, name, values[name])
  }
}
