import * as v from 'valibot'
import { action } from '../action.ts'
import { check } from '../check.ts'
import type { Tx } from '../context.ts'
import { badRequest, notPermitted } from '../errors.ts'
import { everyone } from '../event-log/audience.ts'
import { emit } from '../event-log/emit.ts'
import { described, nonEmptyLine, text } from '../fields.ts'
import { checkGroupSetting } from '../groups/check-setting.ts'
import { isOwner } from '../roles.ts'
import { type GroupSettingValue, groupSettingValue } from '../settings/group-setting-value.ts'
import { organizationSettings, putSetting, type SettingName } from '../settings/organization.ts'
import { empty } from '../shapes/values.ts'
import { emitFullMembersChange, fullMembers } from './full-members.ts'
import { isGroupSetting, type OrganizationView, organizationView } from './view.ts'

const names = Object.keys(organizationSettings) as SettingName[]

const changedGroup = v.union([
  v.object({ new: groupSettingValue, old: v.nullish(groupSettingValue) }),
  groupSettingValue,
])
/** A limit is a number, or this word for none. */
const UNLIMITED = 'unlimited'
const mayBeNull = (name: SettingName): boolean => v.is(organizationSettings[name].schema as v.GenericSchema, null)

const paramOf = (name: SettingName): v.GenericSchema => {
  if (isGroupSetting(name)) return changedGroup
  const { schema } = organizationSettings[name] as { schema: v.GenericSchema }
  // @NOTE no text setting has a number, so the word is never a value by itself.
  return mayBeNull(name) ? v.union([v.literal(UNLIMITED), schema]) : schema
}

/** PATCH /realm: what is not said stays as it is. */
export const updateOrganization = action(
  {
    name: 'updateOrganization',
    summary: 'Update the organization',
    params: v.object({
      name: described(
        v.nullish(v.pipe(nonEmptyLine, v.maxLength(60, 'Organization name is too long.'))),
        'Name of the organization.',
      ),
      ...Object.fromEntries(names.map((name) => [name, v.nullish(paramOf(name))])),
      description: described(
        v.nullish(v.pipe(text, v.maxLength(1000, 'Organization description is too long.'))),
        'What the organization is, at most 1000 characters.',
      ),
    }),
    result: empty,
    role: 'administrator',
  },
  (caller, requested: Record<string, unknown>) =>
    caller.write(async (tx) => {
      const before = await organizationView(tx)
      const members = await fullMembers(tx)
      const { name, description } = requested as { name?: string | null; description?: string | null }
      if (name != null) await tx.db.updateTable('organization').set({ name }).execute()
      if (description != null) await tx.db.updateTable('organization').set({ description }).execute()
      for (const name of names) {
        const value = requested[name]
        if (name !== 'description' && value !== undefined && value !== null) await store(tx, name, value)
      }
      await announce(tx, before, await organizationView(tx))
      await emitFullMembersChange(tx, members, await fullMembers(tx))
      return {}
    }),
)

async function store(tx: Tx, name: SettingName, given: unknown): Promise<void> {
  if (organizationSettings[name].who === 'owner' && !isOwner(tx.user)) {
    throw notPermitted('Must be an organization owner')
  }
  if (isGroupSetting(name)) {
    const value = given as GroupSettingValue | { new: GroupSettingValue }
    await putSetting(
      tx,
      name,
      await checkGroupSetting(tx, name, typeof value === 'object' && 'new' in value ? value.new : value),
    )
    return
  }
  const value = given === UNLIMITED && mayBeNull(name) ? null : given
  if (name.endsWith('_stream_id') || name.endsWith('_channel_id')) await requireStream(tx, Number(value))
  await putSetting(
    tx,
    name,
    check(v.object({ [name]: organizationSettings[name].schema as v.GenericSchema }), { [name]: value })[name],
  )
}

async function requireStream(tx: Tx, stream_id: number): Promise<void> {
  if (stream_id === -1) return
  const found = await tx.db
    .selectFrom('stream')
    .select('id')
    .where('id', '=', stream_id)
    .where('is_archived', '=', 0)
    .executeTakeFirst()
  if (!found) throw badRequest('Invalid stream ID')
}

/** One setting is told by itself, several together, as is a permission with the policy that follows it. */
async function announce(tx: Tx, before: OrganizationView, after: OrganizationView): Promise<void> {
  const names = Object.keys(after) as (keyof OrganizationView)[]
  const changed = names.filter((key) => JSON.stringify(before[key]) !== JSON.stringify(after[key]))
  const [property] = changed
  if (property === undefined) return
  if (changed.length === 1 && !property.endsWith('_group')) {
    await emit(tx, { type: 'realm', op: 'update', property, value: after[property] }, everyone)
    return
  }
  const data = Object.fromEntries(changed.map((key) => [key, after[key]]))
  await emit(tx, { type: 'realm', op: 'update_dict', property: 'default', data }, everyone)
}
