import * as v from 'valibot'
import { email, fullNameOf, password } from '../accounts/create.ts'
import { setPassword } from '../accounts/keys.ts'
import { NEVER, setUpToken } from '../accounts/password-links.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { giveEmail, setFullName } from '../accounts/update-user.ts'
import { check } from '../kernel/check.ts'
import { type Context, onBehalfOf } from '../kernel/context.ts'
import { accountDeactivated, ChatError } from '../kernel/errors.ts'
import { secretsOf } from '../kernel/secrets.ts'
import { findUser, type User } from '../kernel/user.ts'
import { organizationSettings } from '../settings/organization-table.ts'
import { updateOrganization } from './update.ts'

/** Path of the page that the set-up link leads to; its token is the parameter `token`. */
export const SET_UP_PAGE_PATH = '/set-up'

/**
 * Path of the link by which a new organization is set up, from the base URL of the server on; undefined where it was used,
 * or its owner has signed in with the first password or changed it. Only a digest of its token is stored: the token is
 * computed from the server's secret, so it is the same at every start.
 *
 * @example
 * const path = await setUpPath(contextOf(chat))   // '/set-up?token=…'
 */
export async function setUpPath(context: Context): Promise<string | undefined> {
  const organization = await context.db.selectFrom('organization').select('uuid').executeTakeFirst()
  if (!organization?.uuid) return undefined
  const token = setUpToken(context.chat, organization.uuid)
  return (await ownerOf(context, token)) && `${SET_UP_PAGE_PATH}?token=${token}`
}

const fields = v.object({
  organization: organizationSettings.name.schema,
  full_name: fullNameOf('Your'),
  email,
  password,
})

/**
 * Sets a new organization up: its name, and its owner's name, e-mail address and password. It ends the link, the password
 * that was printed, and all API keys of the owner.
 *
 * @returns the address that the owner signs in with
 * @throws BAD_SET_UP_LINK where it was done already, or the token is another
 * @throws BAD_REQUEST for a value that is not accepted; nothing is changed then
 */
export async function setUp(visitor: Context, { token, ...given }: { token: string } & v.InferInput<typeof fields>) {
  // Before the password is hashed, which strangers shall not have the server do.
  await requireSetUpOwner(visitor, token)
  const { organization, full_name, email, password } = check(fields, given)
  const password_hash = await hashPassword(password, visitor.chat.options.passwordCost)
  return visitor.write(async (start) => {
    // Again: of two uses at the same time the second finds none.
    const owner = await requireSetUpOwner(start, token)
    const tx = onBehalfOf(start, owner)
    await updateOrganization(tx, { name: organization })
    await setFullName(tx, owner, full_name)
    if (email !== owner.delivery_email) await giveEmail(tx, owner, email)
    await setPassword(start, owner.id, password_hash)
    return { organization, email }
  })
}

/** Whom a link makes the owner of what it sets up. Throws BAD_SET_UP_LINK, and USER_DEACTIVATED. */
export async function requireSetUpOwner(context: Context, token: string): Promise<User> {
  const owner = await ownerOf(context, token)
  if (!owner) throw new ChatError('BAD_SET_UP_LINK', await whyRefused(context))
  if (!owner.is_active) throw accountDeactivated()
  return owner
}

const whyRefused = async (context: Context): Promise<string> =>
  (await setUpPath(context)) === undefined
    ? 'This organization is set up already: sign in, and change it in the settings'
    : 'This is not the whole link: open it as the server printed it. The command "chat-server org set-up" prints it again'

async function ownerOf({ chat, db }: Pick<Context, 'chat' | 'db'>, token: string): Promise<User | undefined> {
  const link = await db
    .selectFrom('password_link')
    .select('user_id')
    .where('digest', '=', secretsOf(chat).digest(token.trim()))
    .where('expires_at', '=', NEVER)
    .executeTakeFirst()
  return link && findUser(db, link.user_id)
}
