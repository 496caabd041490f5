import { addressKey } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { nextTurn } from '../../kernel/base/timers.ts'
import type { Context, SystemTx, Tx } from '../../kernel/context.ts'
import { isChatError } from '../../kernel/errors.ts'
import { isOwner, type RoleName, roleNames, roles } from '../../kernel/roles.ts'
import { findUser, type User, userColumns } from '../../kernel/user.ts'
import { findUserByEmail } from '../../users/access.ts'
import { emailProblem } from '../allowed-addresses.ts'
import { setRole } from '../change-role.ts'
import { addUser } from '../create.ts'
import { isEmergencyAccount } from '../providers/sign-on.ts'
import { deactivate, setActive } from '../set-active.ts'
import { availableName, cleanName } from '../sign-on/names.ts'
import { giveEmail, setFullName } from '../update-user.ts'
import { noteVerified } from '../verified-email.ts'
import { nameIn, type UserChanges } from './scim-document.ts'
import { scimError, scimRefusal } from './scim-error.ts'
import type { Comparable, ScimFilter } from './scim-filter.ts'

/** How accounts are marked that an identity provider manages by SCIM. No issuer of OpenID Connect has this form. */
const ISSUER = 'scim'
/** Accounts that it created, and the ones that were here before. */
type Origin = 'created' | 'known'

export interface ScimUser {
  readonly user: User
  readonly externalId: string | undefined
  readonly origin: Origin | undefined
}

/** The people whom SCIM shows: everybody but bots. */
const people = ({ db }: Pick<Context, 'db'>) =>
  db.selectFrom('user').where('bot_type', 'is', null).where('is_system_bot', '=', 0).where('is_deleted', '=', 0)

interface Wanted {
  id?: number
  address?: string | undefined
  /** Only people with higher IDs. */
  after?: number
  skipped?: number
  most?: number
}

/** Returns people in the order of their IDs. */
async function scimUsers(
  context: Pick<Context, 'db'>,
  { id, address, after, skipped, most }: Wanted,
): Promise<ScimUser[]> {
  let query = people(context).select(userColumns).orderBy('id')
  if (id !== undefined) query = query.where('id', '=', id)
  if (address !== undefined) query = query.where('email_key', '=', addressKey(address))
  if (after !== undefined) query = query.where('id', '>', after)
  if (most !== undefined) query = query.limit(most)
  if (skipped !== undefined) query = query.offset(skipped)
  const users = await query.execute()
  if (users.length === 0) return []
  const marks = await context.db
    .selectFrom('identity')
    .select(['user_id', 'subject', 'provider'])
    .where('issuer', '=', ISSUER)
    .where(
      'user_id',
      'in',
      users.map(({ id }) => id),
    )
    .execute()
  const byUser = new Map(marks.map((row) => [row.user_id, row]))
  return users.map((user) => {
    const mark = byUser.get(user.id)
    return {
      user,
      externalId: mark?.subject.startsWith('x:') ? mark.subject.slice(2) : undefined,
      origin: mark && (mark.provider === 'scim' ? 'created' : 'known'),
    }
  })
}

/** People read at a time while a filter looks at all of them. */
const SLICE = 500

/** Returns a page of the people whom a filter admits, and how many it admits. Other work gets its turn between slices. */
export async function scimPage(
  context: Pick<Context, 'db'>,
  { address, matches }: ScimFilter,
  skipped: number,
  most: number,
): Promise<{ page: ScimUser[]; total: number }> {
  if (!matches) {
    const { count } = await people(context)
      .select((eb) => eb.fn.countAll<number>().as('count'))
      .executeTakeFirstOrThrow()
    // PostgreSQL returns counts as text.
    return { page: most === 0 ? [] : await scimUsers(context, { skipped, most }), total: Number(count) }
  }
  const page: ScimUser[] = []
  let total = 0
  for (let after = 0; ; ) {
    const slice = await scimUsers(context, { address, after, most: SLICE })
    for (const one of slice) {
      if (!matches(comparable(one))) continue
      if (total >= skipped && page.length < most) page.push(one)
      total++
    }
    if (slice.length < SLICE) return { page, total }
    after = slice.at(-1)!.user.id
    await nextTurn()
  }
}

const comparable = ({ user, externalId }: ScimUser): Comparable => ({
  id: user.id,
  userName: user.delivery_email,
  externalId,
  name: user.full_name,
  active: Boolean(user.is_active),
})

/** Returns a person by the ID of a path. Throws 404. */
export async function scimUser(tx: Pick<Context, 'db'>, user_id: number): Promise<ScimUser> {
  const [found] = await scimUsers(tx, { id: user_id })
  if (!found) throw scimRefusal('path', 'There is no such user')
  return found
}

/** Creates an account. Its address counts as verified. */
export async function createByScim(tx: Tx, changes: UserChanges): Promise<number> {
  const { userName, active = true, role = 'member', externalId } = changes
  if (userName === undefined) throw scimError('invalidValue', 'userName is missing')
  if (!active) throw scimError('invalidValue', 'A new user must be active')
  const given = nameIn(changes)
  if (given === undefined || given === '') throw scimError('invalidValue', 'name or displayName is missing')
  if (await findUserByEmail(tx.db, userName)) throw scimError('uniqueness', `${userName} is in use`)
  await requireAllowed(tx, userName)
  const full_name = await availableName(tx, cleanName(given, userName))
  const { id } = await addUser(tx, { email: userName, full_name, role: roles[role], is_verified: true })
  await mark(tx, id, externalId ?? undefined, 'created')
  return id
}

/**
 * Changes an account. Owners and emergency accounts belong to the people here, unless SCIM created them.
 *
 * @throws 403 for these, 409 for an address or an external ID in use, 400 for the last user
 */
export async function changeByScim(tx: Tx, before: ScimUser, changes: UserChanges): Promise<void> {
  const { user, origin } = before
  const isKept = isOwner(user) || (await isEmergencyAccount(tx, user.delivery_email))
  const isChange = changes.active !== undefined ? changes.active !== Boolean(user.is_active) : false
  const name = nameIn(changes, user.full_name)
  const renames = name !== undefined && name !== user.full_name
  const moves = changes.userName !== undefined && changes.userName !== user.delivery_email
  const promotes = changes.role !== undefined && roles[changes.role] !== user.role
  if (isKept && origin !== 'created' && (isChange || renames || moves || promotes))
    throw scimRefusal('forbidden', 'Owners and emergency accounts are managed in the chat')
  if (changes.externalId !== undefined && (changes.externalId ?? undefined) !== before.externalId)
    await mark(tx, user.id, changes.externalId ?? undefined, origin ?? 'known')
  if (moves) {
    const taken = await findUserByEmail(tx.db, changes.userName!)
    if (taken && taken.id !== user.id) throw scimError('uniqueness', `${changes.userName} is in use`)
    await requireAllowed(tx, changes.userName!)
    await giveEmail(tx, user, changes.userName!)
    await noteVerified(tx, user.id)
  }
  const current = async () => (await findUser(tx.db, user.id))!
  if (renames) {
    const now = await current()
    const full_name = await availableName(tx, cleanName(name, now.delivery_email), now)
    await setFullName(tx, now, full_name)
  }
  if (isChange && changes.active) await setActive(tx, await current(), true)
  if (promotes) await rejecting(() => setRole(tx, user.id, roles[changes.role!]))
  if (isChange && !changes.active) await rejecting(async () => deactivate(tx, await current()))
}

async function requireAllowed(tx: Tx, address: string): Promise<void> {
  if ((await emailProblem(tx, address)) !== undefined)
    throw scimError('invalidValue', `${address} is not allowed in this organization`)
}

/** Errors of rules here, such as the one about the last owner, are values that SCIM can't have. */
async function rejecting(work: () => Promise<void>): Promise<void> {
  try {
    await work()
  } catch (error) {
    throw isChatError(error) ? scimError('invalidValue', error.message) : error
  }
}

async function mark(tx: SystemTx, user_id: number, externalId: string | undefined, origin: Origin): Promise<void> {
  const subject = externalId === undefined ? `u:${user_id}` : `x:${externalId}`
  const taken = await tx.db
    .selectFrom('identity')
    .select('user_id')
    .where('issuer', '=', ISSUER)
    .where('subject', '=', subject)
    .executeTakeFirst()
  if (taken && taken.user_id !== user_id) throw scimError('uniqueness', 'Another user has this externalId')
  await tx.db.deleteFrom('identity').where('issuer', '=', ISSUER).where('user_id', '=', user_id).execute()
  const now = seconds(tx.chat.clock)
  const provider = origin === 'created' ? 'scim' : 'scim-known'
  const row = { user_id, issuer: ISSUER, subject, provider, email: null, created_at: now, last_used_at: now }
  await tx.db.insertInto('identity').values(row).execute()
}

export const roleNameOf = ({ role }: User): RoleName => roleNames.find((name) => roles[name] === role) ?? 'member'
