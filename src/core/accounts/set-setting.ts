import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { isBot, roles } from '../kernel/roles.ts'
import { languageName } from '../settings/choices.ts'
import { TIME_SETTING } from '../settings/hour-cycle.ts'
import { putUserSetting, type UserSettingName, type UserSettings, userSettingsOf } from '../settings/user.ts'
import type { UserSettingValue } from '../shapes/setting.ts'
import { changeEmail } from '../users/email.ts'
import { hidePresence } from '../users/presence-rows.ts'

/** Stores one of the writer's settings and emits its events. */
export async function setSetting<N extends UserSettingName>(
  tx: Tx,
  name: N,
  value: UserSettings[N],
  by: 'own' | 'administrator',
): Promise<void> {
  const before = await userSettingsOf(tx)
  const isSame = before[name] === value
  // Once chosen, it no longer follows the language.
  if (!isSame || name === TIME_SETTING) await putUserSetting(tx, tx.user.id, name, value, by)
  if (isSame) return
  await announce(tx, name, value)
  if (name === 'default_language') {
    const { twenty_four_hour_time } = await userSettingsOf(tx)
    if (twenty_four_hour_time !== before.twenty_four_hour_time) await announce(tx, TIME_SETTING, twenty_four_hour_time)
  }
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

/** Tells the writer's clients. */
export async function announce(tx: Tx, property: string, value: UserSettingValue): Promise<void> {
  const named = property === 'default_language' && { language_name: languageName(String(value)) }
  await emit(tx, { type: 'user_settings', op: 'update', property, value, ...named }, only(tx.user.id))
}
