import type { Context } from '../../kernel/context.ts'
import { isChatError } from '../../kernel/errors.ts'
import { findUserByEmail } from '../../users/access.ts'
import { failedSignInsOf } from '../failed-sign-ins.ts'
import type { Person } from '../providers/protocol.ts'

/** Values of a claim in a line of the log. */
const MAX_LOGGED = 50
const few = (values: readonly string[] | undefined) => values?.slice(0, MAX_LOGGED)

/**
 * Runs the sign-in of a proven person. If they may not sign in here, the audit log has the attempt. The log has what the provider
 * said about them, which people who set up a provider can't see anywhere else.
 */
export async function orDenied<T>(visitor: Context, person: Person, work: () => Promise<T>): Promise<T> {
  try {
    return await work()
  } catch (error) {
    if (isChatError(error) && error.code === 'SIGN_ON_FAILED') {
      const { issuer, email, is_verified } = person
      const [groups, roles, required] = [person.groups, person.roles, person.required].map(few)
      const said = { issuer, email, is_verified, groups, roles, required }
      const { reason } = error.data
      visitor.chat.options.logger.info({ reason, ...said }, 'a person of an identity provider may not sign in')
      failedSignInsOf(visitor.chat).note(visitor, await accountOf(visitor, person), 'denied')
    }
    throw error
  }
}

/** Returns the account that the attempt was for. An address that isn't verified says nothing about that. */
async function accountOf(
  { db }: Context,
  { issuer, subject, email, is_verified }: Person,
): Promise<number | undefined> {
  const known = await db
    .selectFrom('identity')
    .select('user_id')
    .where('issuer', '=', issuer)
    .where('subject', '=', subject)
    .executeTakeFirst()
  if (known) return known.user_id
  return email !== undefined && is_verified ? (await findUserByEmail(db, email))?.id : undefined
}
