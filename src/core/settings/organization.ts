import type { Db, Soon } from '../../storage/index.ts'
import { defineCache } from '../kernel/cache.ts'
import type { Context, SystemTx } from '../kernel/context.ts'
import { organizationSettings, type SettingName, type Settings } from './organization-table.ts'
import { withStored } from './setting.ts'

export const organizationSettingsCache = defineCache('organization-settings', loadSettings)

/** All settings of the organization, defaults included. */
export const settingsOf = (context: Context): Soon<Settings> => organizationSettingsCache.get(context)

async function loadSettings(db: Db): Promise<Settings> {
  const rows = await db.selectFrom('organization_setting').selectAll().execute()
  const own = await db.selectFrom('organization').select(['name', 'description']).executeTakeFirst()
  return { ...withStored(organizationSettings, rows.map(renamed)), ...own }
}

/** Databases from before the policy had three values have a row that says whether history is visible. */
const renamed = (row: { name: string; value: string }) =>
  row.name === 'allow_edit_history'
    ? { name: 'message_edit_history_visibility_policy', value: row.value === 'false' ? '"none"' : '"all"' }
    : row

/** Stores a checked value. The caller emits the event. */
export async function putSetting<N extends SettingName>(tx: SystemTx, name: N, value: Settings[N]): Promise<void> {
  organizationSettingsCache.invalidate(tx)
  if (name === 'name' || name === 'description') {
    await tx.db
      .updateTable('organization')
      .set({ [name]: value })
      .execute()
    return
  }
  const json = JSON.stringify(value)
  await tx.db
    .insertInto('organization_setting')
    .values({ name, value: json })
    .onConflict((oc) => oc.column('name').doUpdateSet({ value: json }))
    .execute()
}

/** Call it when the organization is created. */
export const forgetSettings = (tx: SystemTx): void => organizationSettingsCache.invalidate(tx)
