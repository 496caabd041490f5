import type { Caller } from '../context.ts'
import { checkGroupSetting } from '../groups/check-setting.ts'
import type { GroupSettingValue, SystemGroupName } from '../settings/group-setting-value.ts'

/** Permissions a stream has of its own, and who has them until somebody says otherwise. */
export const streamSettings = {
  can_add_subscribers_group: 'role:nobody',
  can_administer_channel_group: 'role:nobody',
  can_remove_subscribers_group: 'role:administrators',
  can_send_message_group: 'role:everyone',
  can_subscribe_group: 'role:nobody',
} as const satisfies Record<string, SystemGroupName>

export type StreamSettingName = keyof typeof streamSettings
export type StreamSettings = Partial<Record<StreamSettingName, GroupSettingValue>>

export const streamSetting = (stored: string, name: StreamSettingName): GroupSettingValue | SystemGroupName =>
  (JSON.parse(stored) as StreamSettings)[name] ?? streamSettings[name]

/** A permission's new value as it is stored; guests may be given no more than to write. */
export const checkStreamSetting = (caller: Caller, name: StreamSettingName, value: GroupSettingValue) =>
  checkGroupSetting(caller, name, value, { everyone: name === 'can_send_message_group' })
