import { addressKey } from '../../../storage/index.ts'
import { seconds } from '../../kernel/base/clock.ts'
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

/** How accounts are marked that an identity provider manages by SCIM. No issuer of OpenID Connect has this form. */
const ISSUER = 'scim'
/** Accounts that it created, and the ones that were here before. */
type Origin = 'created' | 'known'

export interface ScimUser {
  readonly user: User
  readonly externalId: string | undefined
  readonly origin: Origin | undefined
}

/** Returns the people whom SCIM shows: everybody but bots, in the order of their IDs. */
export async function scimUsers(
  { db }: Pick<Context, 'db'>,
  only: { id?: number; address?: string | undefined } = {},
): Promise<ScimUser[]> {
  let query = db.selectFrom('user').select(userColumns).where('bot_type', 'is', null).where('is_system_bot', '=', 0)
  let marks = db.selectFrom('identity').select(['user_id', 'subject', 'provider']).where('issuer', '=', ISSUER)
  if (only.id !== undefined) query = query.where('id', '=', only.id)
  if (only.address !== undefined) query = query.where('email_key', '=', addressKey(only.address))
  const users = await query.where('is_deleted', '=', 0).orderBy('id').execute()
  if (users.length === 0) return []
  // The marks of all accounts are read only with all accounts.
  if (users.length === 1) marks = marks.where('user_id', '=', users[0]!.id)
  const byUser = new Map((await marks.execute()).map((row) => [row.user_id, row]))
  return users.map((user) => {
    const mark = byUser.get(user.id)
    return {
      user,
      externalId: mark?.subject.startsWith('x:') ? mark.subject.slice(2) : undefined,
      origin: mark && (mark.provider === 'scim' ? 'created' : 'known'),
    }
  })
}

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
  if ((await emailProblem(tx, userName)) !== undefined)
    throw scimError('invalidValue', `${userName} is not allowed in this organization`)
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
