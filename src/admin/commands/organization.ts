import * as v from 'valibot'
import { createOrganization, systemCaller } from '../../core/accounts/create-organization.ts'
import { listGroups } from '../../core/groups/list.ts'
import { COMMAND_LINE } from '../../core/kernel/audit.ts'
import { type Caller, contextOf } from '../../core/kernel/context.ts'
import { badRequest } from '../../core/kernel/errors.ts'
import { linkBase } from '../../core/kernel/public-url.ts'
import { deactivateOrganization, reactivateOrganization } from '../../core/organization/deactivate.ts'
import { setUpPath } from '../../core/organization/set-up.ts'
import { updateOrganization } from '../../core/organization/update.ts'
import { type OrganizationView, organizationView } from '../../core/organization/view.ts'
import { isPermission } from '../../core/settings/organization-table.ts'
import { command } from './command.ts'

export const init = command(
  v.object({
    org: v.string(),
    owner_email: v.string(),
    owner_name: v.string(),
    owner_password: v.optional(v.string()),
  }),
  (chat, { owner_password, ...organization }) =>
    createOrganization(chat, { ...organization, ...(owner_password !== undefined && { owner_password }) }),
)

/** Deactivates the organization until it is reactivated. */
export const deactivateOrg = command(v.object({}), async (chat) => {
  await deactivateOrganization(await systemCaller(chat))
  return { deactivated: true }
})

/** Reactivates a deactivated organization. */
export const reactivateOrg = command(v.object({}), async (chat) => {
  await reactivateOrganization(contextOf(chat, { address: COMMAND_LINE }))
  return { reactivated: true }
})

/** Returns the path of the page that sets up the organization; null after the setup. */
export const setUpLink = command(v.object({}), async (chat) => ({
  base: linkBase(chat) ?? null,
  path: (await setUpPath(contextOf(chat))) ?? null,
}))

const changeable: Readonly<Record<string, v.GenericSchema>> = updateOrganization.params.entries

/** Returns the settings that can be changed, with their values. Groups are named. */
export const getSettings = command(v.object({}), async (chat) => settingsByName(await systemCaller(chat)))

async function settingsByName(caller: Caller): Promise<Record<string, OrganizationView[keyof OrganizationView]>> {
  const view = await organizationView(caller)
  const names = await groupNames(caller)
  const shown = Object.entries(view).filter(([name]) => name in changeable)
  return Object.fromEntries(
    shown.map(([name, value]) => [name, isPermission(name) ? (names.get(Number(value)) ?? value) : value]),
  )
}

/** Changes a setting. The value is the text of the command line: a text, JSON, or the name of a group. */
export const setSetting = command(v.object({ name: v.string(), value: v.string() }), async (chat, { name, value }) => {
  const schema = changeable[name]
  if (!schema) throw badRequest(`Unknown setting "${name}". Run "chat-server org get" to list all settings`)
  const caller = await systemCaller(chat)
  const group = isPermission(name) && [...(await groupNames(caller))].find(([, groupName]) => groupName === value)
  await updateOrganization(caller, { [name]: group ? group[0] : v.is(schema, value) ? value : jsonOr(value) })
  return { name, value: (await settingsByName(caller))[name] }
})

async function groupNames(caller: Caller): Promise<Map<number, string>> {
  const { user_groups } = await listGroups(caller, {})
  return new Map(user_groups.map((group) => [group.id, group.name]))
}

/**
 * Parses booleans, numbers and sets of users, which are typed as JSON. Other text is left for the schema to reject.
 */
function jsonOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}
