import * as v from 'valibot'
import { accessMessages, visibleIds } from '../access/messages.ts'
import { email, fullNameOf, password, sendWelcome } from '../accounts/create.ts'
import { setPassword } from '../accounts/keys.ts'
import { NEVER, setUpToken } from '../accounts/password-links.ts'
import { hashPassword } from '../accounts/passwords.ts'
import { requireUnpredictable } from '../accounts/predictable-password.ts'
import { setSetting } from '../accounts/set-setting.ts'
import { giveEmail, setFullName } from '../accounts/update-user.ts'
import { recordAct } from '../kernel/audit.ts'
import { check } from '../kernel/check.ts'
import { type Context, onBehalfOf, type Tx } from '../kernel/context.ts'
import { accountDeactivated, ChatError } from '../kernel/errors.ts'
import { secretsOf } from '../kernel/secrets.ts'
import { findUser, type User } from '../kernel/user.ts'
import { removeMessages } from '../messages/edit/delete.ts'
import { organizationSettings } from '../settings/organization-table.ts'
import { welcomeBot } from '../users/system-bot.ts'
import { updateOrganization } from './update.ts'

/** Path of the page that the set-up link opens. Its token is the parameter `token`. */
export const SET_UP_PAGE_PATH = '/set-up'

/**
 * Returns the path of the set-up link, relative to the server's base URL. Returns undefined if it was used, or the
 * owner has signed in with the first password or changed it. The token is computed from the server's secret, so it is
 * the same at every start. Only its digest is stored.
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
  /** The language of the page that was filled in. */
  language: v.optional(organizationSettings.default_language.schema),
})

/**
 * Sets up a new organization: its name, and its owner's name, email address and password. Revokes the link, the
 * printed password, and all API keys of the owner.
 *
 * @returns the address that the owner signs in with
 * @throws BAD_SET_UP_LINK if it was done already, or the token is wrong
 * @throws BAD_REQUEST for an invalid value; nothing is changed then
 */
export async function setUp(visitor: Context, { token, ...given }: { token: string } & v.InferInput<typeof fields>) {
  // Checked before hashing the password, so that strangers can't make the server hash.
  await requireSetUpOwner(visitor, token)
  const { organization, full_name, email, password, language } = check(fields, given)
  await requireUnpredictable(visitor, { email, full_name, organization }, { password })
  const password_hash = await hashPassword(password, visitor.chat.options.passwordCost)
  return visitor.write(async (start) => {
    // Checked again: the second of two simultaneous uses must fail.
    const owner = await requireSetUpOwner(start, token)
    const tx = onBehalfOf(start, owner)
    await updateOrganization(tx, { name: organization, ...(language && { default_language: language }) })
    if (language) await setSetting(tx, 'default_language', language, 'own')
    await setFullName(tx, owner, full_name)
    if (email !== owner.delivery_email) await giveEmail(tx, owner, email)
    await setPassword(start, owner.id, password_hash)
    const after = { full_name, delivery_email: email, password: 'changed' }
    await recordAct(tx, { action: 'setUp', subject_kind: 'user', subject_id: owner.id, after })
    await welcomeAgain(tx, owner)
    return { organization, email }
  })
}

/** Replaces the owner's welcome message, which was sent before the organization had its name. */
async function welcomeAgain(tx: Tx, owner: User): Promise<void> {
  const bot = await welcomeBot.get(tx)
  const sent = await tx.db.selectFrom('message').select('id').where('sender_id', '=', bot.id).execute()
  const ids = await visibleIds(
    tx,
    sent.map(({ id }) => id),
  )
  await removeMessages(tx, await accessMessages(tx, ids))
  await sendWelcome(tx, owner)
}

/** Returns the owner of the organization that a link sets up. Throws BAD_SET_UP_LINK, and USER_DEACTIVATED. */
export async function requireSetUpOwner(context: Context, token: string): Promise<User> {
  const owner = await ownerOf(context, token)
  if (!owner) throw new ChatError('BAD_SET_UP_LINK', await whyRefused(context))
  if (!owner.is_active) throw accountDeactivated()
  return owner
}

const whyRefused = async (context: Context): Promise<string> =>
  (await setUpPath(context)) === undefined
    ? 'This organization is already set up. Sign in to change its settings'
    : 'This link is incomplete. Open the entire link that the server printed, or run "chat-server org set-up" to print it again'

async function ownerOf({ chat, db }: Pick<Context, 'chat' | 'db'>, token: string): Promise<User | undefined> {
  const link = await db
    .selectFrom('password_link')
    .select('user_id')
    .where('digest', '=', secretsOf(chat).digest(token.trim()))
    .where('expires_at', '=', NEVER)
    .executeTakeFirst()
  return link && findUser(db, link.user_id)
}
