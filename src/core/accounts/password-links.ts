import * as v from 'valibot'
import { action, publicAction } from '../kernel/action.ts'
import { recordAct } from '../kernel/audit.ts'
import { seconds } from '../kernel/base/clock.ts'
import { PASSWORD_LINK_SECONDS } from '../kernel/base/limits.ts'
import { randomText } from '../kernel/base/random.ts'
import type { Chat } from '../kernel/chat.ts'
import type { Context, SystemTx } from '../kernel/context.ts'
import { accountDeactivated, badRequest, ChatError } from '../kernel/errors.ts'
import { described, id, text } from '../kernel/fields.ts'
import { secretsOf } from '../kernel/secrets.ts'
import { findUser } from '../kernel/user.ts'
import { unixTime } from '../shapes/values.ts'
import { password } from './create.ts'
import { endPasswordLinks, setPassword } from './keys.ts'
import { accessManagedUser } from './managed-user.ts'
import { hashPassword } from './passwords.ts'
import { requireUnpredictable } from './predictable-password.ts'
import { takeOver } from './verified-email.ts'

const TOKEN_LENGTH = 32

/** Path of the page that a link opens. Its token is the parameter `token`. */
export const PASSWORD_PAGE_PATH = '/password'

export interface PasswordLink {
  /** Relative to the server's base URL. It is returned once, since only a digest of the token is stored. */
  path: string
  /** Seconds since 1970. */
  expires_at: number
}

/**
 * Creates a link that sets the password of an account once, within 24 hours, without further proof. Using it, changing
 * the password or creating another link revokes it. So does a lower role of its creator, if it has one.
 *
 * @param created_by - the administrator who passes it on
 * @param lasts - seconds
 * @throws BAD_REQUEST for a bot, which has no password
 * @throws USER_DEACTIVATED
 * @example
 * const { path } = await admin.write((tx) => issuePasswordLink(tx, user_id))
 */
export async function issuePasswordLink(
  tx: SystemTx,
  user_id: number,
  created_by: number | null = null,
  lasts = PASSWORD_LINK_SECONDS,
): Promise<PasswordLink> {
  const user = await findUser(tx.db, user_id)
  if (!user) throw badRequest('No such user')
  if (user.bot_type !== null) throw badRequest(`${user.email} is a bot. Bots use API keys instead of passwords`)
  if (!user.is_active) throw accountDeactivated()
  const now = seconds(tx.chat.clock)
  await tx.db.deleteFrom('password_link').where('expires_at', '<=', now).execute()
  await endPasswordLinks(tx, user.id)
  const token = randomText(tx.chat.random, TOKEN_LENGTH)
  const digest = secretsOf(tx.chat).digest(token)
  const expires_at = now + lasts
  await tx.db
    .insertInto('password_link')
    .values({ user_id: user.id, digest, created_at: now, expires_at, created_by, address_key: null })
    .execute()
  return { path: `${PASSWORD_PAGE_PATH}?token=${token}`, expires_at }
}

/**
 * POST /users/{user_id}/password_link: creates a link for setting a user's password, which an administrator passes on.
 * The account's previous link stops working.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator, and for an owner's account unless the caller
 * is an owner
 * @throws BAD_REQUEST "No such user", and for a bot
 * @throws USER_DEACTIVATED
 * @example
 * const { link_url } = await createPasswordLink(admin, { user_id })
 */
export const createPasswordLink = action(
  {
    name: 'createPasswordLink',
    summary: "Create a link to set a user's password",
    audit: {
      subject: 'user',
      id: ({ user_id }) => user_id,
      details: (_, { expires_at }) => ({ password_link: 'created', expires_at }),
    },
    params: v.object({ user_id: described(id, 'ID of the user.') }),
    result: v.strictObject({ link_url: v.string(), expires_at: unixTime }),
    secret: true,
    role: 'administrator',
    errors: ['USER_DEACTIVATED'],
  },
  (caller, { user_id }) =>
    caller.write(async (tx) => {
      const { path, expires_at } = await issuePasswordLink(tx, (await accessManagedUser(tx, user_id)).id, tx.user.id)
      return { link_url: `${tx.origin}${path}`, expires_at }
    }),
)

/** The expiry time of a link that never expires. */
export const NEVER = 253_402_300_799

/**
 * Returns the token of the set-up link. It is always the same for an organization, and as hard to guess as the
 * server's secret.
 */
export const setUpToken = (chat: Chat, uuid: string): string => secretsOf(chat).digest(`the set-up of ${uuid}`)

/**
 * Creates the set-up link of a new organization's first owner, valid until it is used. Like any password link, it ends
 * with the next change of the password. A sign-in with the password ends it too.
 */
export async function openSetUp(tx: SystemTx, user_id: number, uuid: string): Promise<void> {
  const digest = secretsOf(tx.chat).digest(setUpToken(tx.chat, uuid))
  const link = {
    user_id,
    digest,
    created_at: seconds(tx.chat.clock),
    expires_at: NEVER,
    created_by: null,
    address_key: null,
  }
  await tx.db.insertInto('password_link').values(link).execute()
}

/** Revokes the set-up link after a sign-in with the printed password, which makes it unnecessary. */
export const endSetUp = async (tx: SystemTx, user_id: number): Promise<void> =>
  void (await tx.db
    .deleteFrom('password_link')
    .where('user_id', '=', user_id)
    .where('expires_at', '=', NEVER)
    .execute())

const token = described(text, 'The token of the link.')
const errors = ['BAD_PASSWORD_LINK', 'USER_DEACTIVATED'] as const

/**
 * GET /password_link: returns the account and the expiry time of a link. It needs no sign-in because the token is the
 * proof.
 *
 * @throws BAD_PASSWORD_LINK if it was used, has expired or never existed
 * @throws USER_DEACTIVATED
 * @example
 * const { email } = await getPasswordLink(contextOf(chat), { token: 'from the link' })
 */
export const getPasswordLink = publicAction(
  {
    name: 'getPasswordLink',
    summary: 'Check a password link',
    params: v.object({ token }),
    result: v.strictObject({ email: v.string(), full_name: v.string(), expires_at: unixTime }),
    errors,
  },
  async (visitor, params) => {
    const { email, full_name, expires_at } = await findLink(visitor, params.token)
    return { email, full_name, expires_at }
  },
)

/**
 * POST /password_link: sets the password, and revokes the link and all API keys of the account.
 *
 * @throws BAD_PASSWORD_LINK if it was used, has expired or never existed
 * @throws USER_DEACTIVATED
 * @throws BAD_REQUEST for a password that is too short or too long
 * @example
 * const { email } = await setPasswordByLink(contextOf(chat), { token: 'from the link', password: 'correct horse' })
 */
export const setPasswordByLink = publicAction(
  {
    name: 'setPasswordByLink',
    summary: 'Set a password with a password link',
    params: v.object({ token, password: described(password, 'The new password.') }),
    result: v.strictObject({ email: v.string() }),
    errors,
  },
  async (visitor, params) => {
    // Checked before hashing the password, so that strangers can't make the server hash.
    const { full_name, delivery_email } = await findLink(visitor, params.token)
    await requireUnpredictable(visitor, { full_name, email: delivery_email }, { password: params.password })
    const password_hash = await hashPassword(params.password, visitor.chat.options.passwordCost)
    return visitor.write(async (tx) => {
      // Checked again: the second of two simultaneous uses must fail.
      const { user_id, email, address_key } = await findLink(tx, params.token)
      if (address_key !== null) await takeOver(tx, user_id)
      await setPassword(tx, user_id, password_hash)
      await recordAct(tx, {
        action: 'setPasswordByLink',
        subject_kind: 'user',
        subject_id: user_id,
        actor_id: user_id,
        after: { password: 'changed' },
      })
      return { email }
    })
  },
)

async function findLink({ chat, db }: Pick<Context, 'chat' | 'db'>, token: string) {
  const link = await db
    .selectFrom('password_link')
    .innerJoin('user', 'user.id', 'password_link.user_id')
    .select(['user.id as user_id', 'user.email', 'user.delivery_email', 'user.full_name', 'user.is_active'])
    .select(['password_link.expires_at', 'password_link.address_key'])
    .where('password_link.digest', '=', secretsOf(chat).digest(token.trim()))
    .where('password_link.expires_at', '>', seconds(chat.clock))
    .where((eb) => eb.or([eb('address_key', 'is', null), eb('address_key', '=', eb.ref('user.email_key'))]))
    .executeTakeFirst()
  if (!link) throw new ChatError('BAD_PASSWORD_LINK', 'This link has expired or was already used. Ask for a new one')
  if (!link.is_active) throw accountDeactivated()
  return link
}
