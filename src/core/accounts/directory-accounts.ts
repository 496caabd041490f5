import { DirectoryFailed } from '../../network/ldap/ldap-connection.ts'
import { addressKey } from '../../storage/index.ts'
import type { Context, SystemTx } from '../kernel/context.ts'
import { defineService } from '../kernel/service.ts'
import type { User } from '../kernel/user.ts'
import type { AccountRules } from './providers/account-rules.ts'
import type { DirectoryMember, SignOnDirectory } from './providers/directory.ts'
import { signOnFailed } from './providers/failed.ts'
import { LDAP } from './providers/ldap.ts'
import type { Person } from './providers/protocol.ts'
import { signOnOf } from './providers/sign-on.ts'

/**
 * Returns the account of a person whom the directory has proved, creating it if the file says so. It is a service, because
 * it changes names, groups and roles.
 */
export const accountOfPersonOf =
  defineService<(tx: SystemTx, rules: AccountRules, person: Person) => Promise<User>>('account of a person')

/** Returns the directory that is asked for the password of an address, whether or not an account has it. */
export function directoryFor({ chat }: Pick<Context, 'chat'>, address: string): SignOnDirectory | undefined {
  const signOn = signOnOf(chat)
  // Emergency accounts work while the directory doesn't.
  return signOn?.break_glass.has(addressKey(address.trim())) ? undefined : signOn?.directory
}

/** Returns the directory that has the password of an account, and how it knows its owner. */
export async function directoryOf(
  context: Pick<Context, 'chat' | 'db'>,
  { id, delivery_email }: Pick<User, 'id' | 'delivery_email'>,
): Promise<{ directory: SignOnDirectory; subject: string; email: string | null } | undefined> {
  const directory = directoryFor(context, delivery_email)
  if (!directory) return undefined
  const identity = await context.db
    .selectFrom('identity')
    .select(['subject', 'email'])
    .where('user_id', '=', id)
    .where('issuer', '=', LDAP)
    .executeTakeFirst()
  return identity && { directory, ...identity }
}

/**
 * Asks the directory about a password.
 *
 * @throws SIGN_ON_FAILED if it doesn't answer
 */
export async function askDirectory(
  directory: SignOnDirectory,
  username: string,
  password: string,
): Promise<DirectoryMember | undefined> {
  try {
    return await directory.prove(username, password)
  } catch (error) {
    if (error instanceof DirectoryFailed) throw signOnFailed('provider_unreachable')
    throw error
  }
}
