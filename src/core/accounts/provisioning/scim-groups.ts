import * as v from 'valibot'
import { fold, isUnset } from '../../../storage/index.ts'
import { everyone } from '../../events/log/audience.ts'
import { emit } from '../../events/log/emit.ts'
import { addGroup } from '../../groups/create.ts'
import { deactivateUnused } from '../../groups/deactivate.ts'
import { putMembers, takeMembers } from '../../groups/members.ts'
import { groupName } from '../../groups/names.ts'
import { storedGroups } from '../../groups/stored.ts'
import { nextTurn } from '../../kernel/base/timers.ts'
import type { Context, Tx } from '../../kernel/context.ts'
import { isChatError } from '../../kernel/errors.ts'
import { isWriting, pacer } from '../../kernel/slices.ts'
import { dialectOf } from '../../kernel/store.ts'
import { scimError, scimRefusal } from './scim-error.ts'
import type { GroupChange } from './scim-group-document.ts'
import { groupVersion } from './scim-version.ts'

export interface ScimGroup {
  readonly id: number
  readonly name: string
  readonly members: readonly { id: number; full_name: string }[]
  readonly version: string
}

/** The groups that SCIM shows: those that people and providers made. */
const groups = ({ db }: Pick<Context, 'db'>) =>
  db.selectFrom('user_group').where('is_system_group', '=', isUnset).where('is_deactivated', '=', isUnset)

interface Page {
  name: string | undefined
  id: number | undefined
  skipped: number
  most: number
}

/** A page ends with the group that reaches this number of members. Clients continue after it. */
const MAX_MEMBERS_OF_PAGE = 10_000
/** Members that are read without giving others a turn. */
const SLICE = 1000

/** Returns a page of groups in the order of their IDs, and how many there are. */
export async function scimGroups(
  context: Context,
  { name, id, skipped, most }: Page,
  withMembers: boolean,
): Promise<{ page: ScimGroup[]; total: number }> {
  let found = groups(context)
  if (name !== undefined) found = found.where('name_key', '=', fold(name.trim()))
  if (id !== undefined) found = found.where('id', '=', id)
  const { count } = await found.select((eb) => eb.fn.countAll<number>().as('count')).executeTakeFirstOrThrow()
  const rows = most === 0 ? [] : await found.select(['id', 'name']).orderBy('id').limit(most).offset(skipped).execute()
  const page: ScimGroup[] = []
  const turn = pacer(context)
  let read = 0
  for (const row of rows) {
    const members = withMembers ? await membersOf(context, row.id) : []
    page.push({ ...row, members, version: await groupVersion(context, row) })
    await turn()
    read += members.length
    if (read >= MAX_MEMBERS_OF_PAGE) break
  }
  return { page, total: Number(count) }
}

/** Returns a group by the ID of a path. Throws 404. */
export async function scimGroup(context: Context, id: number, withMembers = true): Promise<ScimGroup> {
  const row = await groups(context).select(['id', 'name']).where('id', '=', id).executeTakeFirst()
  if (!row) throw scimRefusal('path', 'There is no such group')
  const members = withMembers ? await membersOf(context, id) : []
  return { ...row, members, version: await groupVersion(context, row) }
}

/** Returns the direct members, without bots. Outside a write, others get a turn between slices. */
async function membersOf(context: Context, group_id: number): Promise<ScimGroup['members'][number][]> {
  const members: ScimGroup['members'][number][] = []
  for (let after = 0; ; ) {
    const slice = await context.db
      .selectFrom('user_group_member')
      .innerJoin('user', 'user.id', 'user_group_member.user_id')
      .select(['user.id', 'user.full_name', 'user.bot_type'])
      .where('user_group_member.group_id', '=', group_id)
      .where('user_group_member.user_id', '>', after)
      .orderBy('user_group_member.user_id')
      .limit(SLICE)
      .execute()
    for (const { id, full_name, bot_type } of slice) if (bot_type === null) members.push({ id, full_name })
    if (slice.length < SLICE) return members
    after = slice.at(-1)!.id
    if (!isWriting(context)) await nextTurn()
  }
}

/** Creates a group. Throws 409 for a name in use. */
export async function createGroupByScim(tx: Tx, { displayName, members = [] }: GroupChange): Promise<number> {
  if (displayName === undefined) throw scimError('invalidValue', 'displayName is missing')
  const name = await freeName(tx, displayName)
  await requirePeople(tx, members)
  const people = [...new Set(members)]
  return rejecting(() => addGroup(tx, { name, description: '', members: people, subgroups: [], settings: {} }))
}

/** Changes the name and the direct members of a group, in the order of the changes. Bots in it stay. */
export async function changeGroupByScim(tx: Tx, group: ScimGroup, changes: readonly GroupChange[]): Promise<void> {
  const replaces = changes.some(({ members, remove }) => members !== undefined || remove === 'all')
  const named = changes.flatMap(({ add = [], remove }) => [...add, ...(Array.isArray(remove) ? remove : [])])
  const has = await membersAmong(tx, group.id, replaces ? undefined : named)
  let wanted = new Set(has)
  let { name } = group
  for (const { displayName = name, members, add = [], remove = [] } of changes) {
    if (displayName !== name) {
      name = await freeName(tx, displayName, group.id)
      await rename(tx, group.id, name)
    }
    if (members) wanted = new Set(members)
    for (const id of add) wanted.add(id)
    if (remove === 'all') wanted.clear()
    else for (const id of remove) wanted.delete(id)
  }
  const added = [...wanted].filter((id) => !has.has(id))
  const removed = [...has].filter((id) => !wanted.has(id))
  await requirePeople(tx, added)
  if (added.length > 0) await putMembers(tx, group.id, added)
  if (removed.length > 0) await takeMembers(tx, group.id, removed)
}

/** Returns which people are direct members, of some or of all, in one statement: other writes wait for it. */
async function membersAmong(
  { chat, db }: Tx,
  group_id: number,
  people: readonly number[] | undefined,
): Promise<ReadonlySet<number>> {
  let members = db
    .selectFrom('user_group_member')
    .innerJoin('user', 'user.id', 'user_group_member.user_id')
    .select('user_group_member.user_id')
    .where('user_group_member.group_id', '=', group_id)
    .where('user.bot_type', 'is', null)
  if (people) members = members.where('user_group_member.user_id', 'in', dialectOf(chat).idsIn(people))
  return new Set((await members.execute()).map(({ user_id }) => user_id))
}

/** Deactivates a group. Throws 400 while something uses it. */
export async function deactivateGroupByScim(tx: Tx, { id }: ScimGroup): Promise<void> {
  const group = await groups(tx).selectAll().where('id', '=', id).executeTakeFirstOrThrow()
  await rejecting(() => deactivateUnused(tx, group))
}

async function rename(tx: Tx, group_id: number, name: string): Promise<void> {
  await tx.db
    .updateTable('user_group')
    .set({ name, name_key: fold(name) })
    .where('id', '=', group_id)
    .execute()
  storedGroups.invalidate(tx)
  await emit(tx, { type: 'user_group', op: 'update', group_id, data: { name } }, everyone)
}

async function freeName(tx: Tx, given: string, own?: number): Promise<string> {
  const checked = v.safeParse(groupName, given)
  if (!checked.success) throw scimError('invalidValue', `displayName: ${checked.issues[0].message}`)
  const taken = await tx.db
    .selectFrom('user_group')
    .select('id')
    .where('name_key', '=', fold(checked.output))
    // As for people, the name of a deactivated group is free.
    .where('is_deactivated', '=', isUnset)
    .executeTakeFirst()
  if (taken && taken.id !== own) throw scimError('uniqueness', `There already is a group "${checked.output}"`)
  return checked.output
}

async function requirePeople({ chat, db }: Tx, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const wanted = [...new Set(ids)]
  const found = await db
    .selectFrom('user')
    .select('id')
    .where('id', 'in', dialectOf(chat).idsIn(wanted))
    .where('bot_type', 'is', null)
    .where('is_system_bot', '=', 0)
    .where('is_deleted', '=', 0)
    .execute()
  if (found.length < wanted.length) throw scimError('invalidValue', 'A member is no user of this server')
}

/** Errors of rules here are values that SCIM can't have. */
async function rejecting<T>(work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    throw isChatError(error) ? scimError('invalidValue', error.message) : error
  }
}
