import * as v from 'valibot'
import { addPeople, email, fullName, type NewUser, password, settleIn } from '../../core/accounts/create.ts'
import { systemCaller } from '../../core/accounts/create-organization.ts'
import { hashPassword } from '../../core/accounts/passwords.ts'
import { recordAct } from '../../core/kernel/audit.ts'
import { Hidden } from '../../core/kernel/base/difference.ts'
import { randomText } from '../../core/kernel/base/random.ts'
import type { Chat } from '../../core/kernel/chat.ts'
import { check } from '../../core/kernel/check.ts'
import { type Context, contextOf, type Tx } from '../../core/kernel/context.ts'
import { badRequest } from '../../core/kernel/errors.ts'
import { inSlices } from '../../core/kernel/slices.ts'
import type { User } from '../../core/kernel/user.ts'
import { findUserByEmail } from '../../core/users/access.ts'
import { addressKey } from '../../storage/index.ts'
import { roleOf } from './accounts.ts'
import { command, writeAsOwner } from './command.ts'

const row = v.object({ email, name: fullName, role: v.optional(v.string(), 'member'), password: v.optional(password) })

/** All accounts are created in one write, which delays all others. */
const MAX_USERS = 2000
/** How many users are subscribed and greeted in the first write after that. */
const FIRST_SETTLED = 20

/** Thrown inside the write to roll it back. */
class Refused extends Error {
  readonly errors: RowError[]
  constructor(errors: RowError[]) {
    super(`${errors.length} of the accounts cannot be created`)
    this.errors = errors
  }
}

export interface RowError {
  /** The position of the user, from 0. */
  index: number
  message: string
}

/**
 * Creates many accounts: all of them, or none if any cannot be created, with the reason for each. Missing passwords
 * are generated and returned.
 */
export const addUsers = command(
  v.object({ users: v.array(v.record(v.string(), v.unknown())) }),
  async (chat, params, report) => {
    const { rows, errors } = await checkRows(contextOf(chat), params.users)
    const accounts: (NewUser & { password: string })[] = []
    // Checked before any password is hashed, since that takes a tenth of a second each.
    if (errors.length > 0) return { errors }
    if (rows.length > MAX_USERS) {
      throw badRequest(`The file has ${rows.length} accounts. Create at most ${MAX_USERS} at a time`)
    }
    for (const { name, ...given } of rows) {
      const password = given.password ?? randomText(chat.random, 20)
      const password_hash = await hashPassword(password, chat.options.passwordCost)
      accounts.push({ full_name: name, email: given.email, role: roleOf(given.role), password, password_hash })
      if (accounts.length % 10 === 0) report(`${accounts.length} of ${rows.length} passwords hashed`)
    }
    try {
      const users = await writeAsOwner(chat, (tx) => insertAll(tx, accounts))
      await settleAll(chat, users)
      return {
        users: users.map((user, i) => ({ user_id: user.id, email: user.email, password: accounts[i]!.password })),
      }
    } catch (error) {
      if (error instanceof Refused) return { errors: error.errors }
      throw error
    }
  },
)

/**
 * Subscriptions and welcome messages take longer than the accounts and need not be atomic: the accounts exist, and
 * only this response contains their passwords.
 */
async function settleAll(chat: Chat, users: readonly User[]): Promise<void> {
  try {
    await inSlices(await systemCaller(chat), users, FIRST_SETTLED, settleIn)
  } catch (error) {
    chat.options.logger.error({ err: error }, 'some new accounts could not be subscribed to the default channels')
  }
}

async function checkRows({ db }: Context, users: readonly object[]) {
  const errors: RowError[] = []
  const rows: v.InferOutput<typeof row>[] = []
  const seen = new Map<string, number>()
  for (const [index, user] of users.entries()) {
    try {
      const checked = check(row, user)
      roleOf(checked.role)
      const key = addressKey(checked.email)
      const earlier = seen.get(key)
      if (earlier !== undefined) errors.push({ index, message: `Email '${checked.email}' is in the file twice` })
      else if (await findUserByEmail(db, checked.email))
        errors.push({ index, message: `Email '${checked.email}' already in use` })
      seen.set(key, index)
      rows.push(checked)
    } catch (error) {
      errors.push({ index, message: (error as Error).message })
    }
  }
  return { rows, errors }
}

async function insertAll(tx: Tx, accounts: readonly NewUser[]): Promise<User[]> {
  const { users, errors } = await addPeople(tx, accounts)
  if (errors.length > 0) throw new Refused(errors)
  // What would be read of each account is known, and thousands of reads would delay others.
  for (const { id, full_name, delivery_email, role } of users) {
    const after = { full_name, delivery_email, role, is_active: 1, password_hash: new Hidden('') }
    await recordAct(tx, { action: 'createUser', subject_kind: 'user', subject_id: id, after })
  }
  return users
}
