import { groupSettings } from '../groups/settings.ts'
import { organizationSettings } from '../settings/organization.ts'
import { streamSettings } from '../streams/settings.ts'

interface Rules {
  default_group_name: string
  allow_everyone_group?: boolean
}

/** What a client may offer as the value of a permission. */
const rules = ({ default_group_name, allow_everyone_group = true }: Rules) => ({
  require_system_group: false,
  allow_internet_group: false,
  allow_nobody_group: true,
  allow_everyone_group,
  default_group_name,
  default_for_system_groups: null,
  allowed_system_groups: [],
})

/** Every permission that is a group, of the organization, a stream and a group: from the tables that define them. */
export const supportedPermissions = {
  realm: Object.fromEntries(
    Object.entries(organizationSettings)
      .map(([name, setting]) => [name, setting.default as unknown] as const)
      .filter(([, initial]) => typeof initial === 'string' && initial.startsWith('role:'))
      .map(([name, initial]) => [name, rules({ default_group_name: String(initial) })]),
  ),
  stream: Object.fromEntries(
    Object.entries(streamSettings).map(([name, initial]) => [
      name,
      rules({ default_group_name: initial, allow_everyone_group: name === 'can_send_message_group' }),
    ]),
  ),
  group: Object.fromEntries(
    Object.entries(groupSettings).map(([name, { initially, everyone }]) => [
      name,
      {
        ...rules({
          default_group_name: initially === 'creator' ? 'group_creator' : initially,
          allow_everyone_group: everyone,
        }),
        default_for_system_groups: 'role:nobody',
      },
    ]),
  ),
}
