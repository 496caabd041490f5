import { expandGroups } from '../access/group-members.ts'
import { accessGroups } from '../groups/access.ts'
import type { Caller } from '../kernel/context.ts'
import { onBehalfOf } from '../kernel/context.ts'
import { badRequest, mustBeAdministrator } from '../kernel/errors.ts'
import { isAdministrator } from '../kernel/roles.ts'
import { inSlices } from '../kernel/slices.ts'
import type { User } from '../kernel/user.ts'
import { editedSettingsOf, type UserSettingName, type UserSettings, userSettingNames } from '../settings/user.ts'
import { findUsers } from '../users/access.ts'
import { setSetting } from './set-setting.ts'

interface Targets {
  user_ids: readonly number[] | null
  group_ids: readonly number[] | null
  skip_if_already_edited: boolean
}

/** What only people themselves decide. */
const ownAffairs: ReadonlySet<string> = new Set([
  'email',
  'new_password',
  'timezone',
  'allow_private_data_export',
  'email_address_visibility',
  'enable_digest_emails',
  'enable_login_emails',
  'enable_marketing_emails',
  'presence_enabled',
  'send_private_typing_notifications',
  'send_read_receipts',
  'send_stream_typing_notifications',
])

/** Users whose settings are changed in the first of several writes. */
const AT_FIRST = 20

/**
 * Changes settings of others. A name and a present password among them are not used.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST for settings that are nobody else's affair, unknown users and groups, and where none is named
 */
export async function changeOthers(
  caller: Caller,
  { user_ids, group_ids, skip_if_already_edited }: Targets,
  given: Readonly<Record<string, unknown>>,
): Promise<void> {
  if (!isAdministrator(caller.user)) throw mustBeAdministrator()
  if (!user_ids?.length && !group_ids?.length) throw badRequest('Either user_ids or group_ids must be provided.')
  const names = Object.keys(given).filter((name) => given[name] != null)
  if (names.some((name) => ownAffairs.has(name))) throw badRequest('Cannot change this setting for other users.')
  const settings = userSettingNames.filter((name) => given[name] != null)
  const users = await targets(caller, user_ids ?? [], group_ids ?? [])
  await inSlices(caller, users, AT_FIRST, async (tx, slice) => {
    for (const user of slice) {
      const own = onBehalfOf(tx, user)
      const edited = skip_if_already_edited ? await editedSettingsOf(tx, user.id) : new Set<UserSettingName>()
      for (const name of settings) {
        const { value } = given[name] as { value: UserSettings[typeof name] }
        if (!edited.has(name)) await setSetting(own, name, value, 'administrator')
      }
    }
  })
}

/** People only; deactivated accounts, too, where they are named. */
async function targets(caller: Caller, user_ids: readonly number[], group_ids: readonly number[]): Promise<User[]> {
  await accessGroups(caller, group_ids)
  const members = await expandGroups(caller, group_ids)
  const found = await findUsers(caller, [...new Set([...user_ids, ...members])])
  const missing = user_ids.find((id) => !found.has(id))
  if (missing !== undefined) throw badRequest(`Invalid user ID: ${missing}`)
  return [...found.values()].filter((user) => user.bot_type === null).sort((a, b) => a.id - b.id)
}
