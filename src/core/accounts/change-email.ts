import type { Selectable } from 'kysely'
import * as v from 'valibot'
import type { EmailChangeTable } from '../../storage/index.ts'
import { publicAction } from '../kernel/action.ts'
import { recordAct } from '../kernel/audit.ts'
import { seconds } from '../kernel/base/clock.ts'
import { randomText } from '../kernel/base/random.ts'
import { isSameSecret } from '../kernel/base/same-secret.ts'
import type { Chat } from '../kernel/chat.ts'
import { type Context, contextOf, onBehalfOf, type SystemTx, type Tx } from '../kernel/context.ts'
import { accountDeactivated, badRequest, ChatError } from '../kernel/errors.ts'
import { described, text } from '../kernel/fields.ts'
import { secretsOf } from '../kernel/secrets.ts'
import { findUser, type User } from '../kernel/user.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { findUserByEmail } from '../users/access.ts'
import { endAccess } from './end-access.ts'
import { giveEmail } from './update-user.ts'
import { noteRead } from './verified-email.ts'

export type EmailChange = Selectable<EmailChangeTable>

/** Paths of the pages behind the links to the new address and to the old one. */
export const CONFIRM_EMAIL_PATH = '/accounts/confirm_new_email'
export const UNDO_EMAIL_PATH = '/accounts/undo_new_email'

const DAY = 86_400
const MAX_PER_DAY = 5
/** How long each link is valid, in seconds. */
const VALID = { confirm: DAY, undo: 7 * DAY }
type Purpose = keyof typeof VALID
const PATHS = { confirm: CONFIRM_EMAIL_PATH, undo: UNDO_EMAIL_PATH }

/**
 * Starts a change of an account's address: the new one gets an email to confirm it, and the old one a notice with a
 * link that undoes it. Nothing changes before the confirmation.
 */
export async function requestEmailChange(tx: Tx, user: User, new_email: string): Promise<void> {
  const { chat, db } = tx
  if (await findUserByEmail(db, new_email)) throw badRequest(`Email '${new_email}' already in use`)
  const now = seconds(chat.clock)
  const recent = await db
    .selectFrom('email_change')
    .select('id')
    .where('user_id', '=', user.id)
    .where('created_at', '>', now - DAY)
    .execute()
  if (recent.length >= MAX_PER_DAY)
    throw badRequest('You changed your email address too often today. Try again tomorrow')
  const change = await db
    .insertInto('email_change')
    .values({
      user_id: user.id,
      old_email: user.delivery_email,
      new_email,
      nonce: randomText(chat.random, 32),
      created_at: now,
      confirmed_at: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const data = { change_id: change.id }
  const mail = { user_id: user.id, data }
  const confirmation = { ...mail, kind: 'email_confirmation', address: new_email, lasts: VALID.confirm } as const
  await enqueueMail(tx, { ...confirmation, once: `email confirmation ${change.id}` })
  const notice = { ...mail, kind: 'email_change', address: user.delivery_email } as const
  await enqueueMail(tx, { ...notice, once: `email change ${change.id}` })
}

/** Tokens are made of the secret, so the database contains none. */
const tokenOf = (chat: Chat, { id, nonce }: EmailChange, purpose: Purpose): string =>
  `${id}-${secretsOf(chat).digest(`${purpose} email change ${id} ${nonce}`)}`

/** Returns the path of a link, relative to the server's base URL. */
export const emailChangePath = (chat: Chat, change: EmailChange, purpose: Purpose): string =>
  `${PATHS[purpose]}?token=${tokenOf(chat, change, purpose)}`

/** Returns whether a link would still work. */
export const isValid = async (
  { chat, db }: Pick<Context, 'chat' | 'db'>,
  change: EmailChange,
  purpose: Purpose,
): Promise<boolean> => {
  if (seconds(chat.clock) >= change.created_at + VALID[purpose]) return false
  if (purpose === 'undo') return true
  const user = await findUser(db, change.user_id)
  return change.confirmed_at === null && user?.delivery_email === change.old_email
}

async function find(
  context: Pick<Context, 'chat' | 'db'>,
  token: string,
  purpose: Purpose,
): Promise<{ change: EmailChange; user: User }> {
  const id = Number(/^(\d{1,15})-/.exec(token.trim())?.[1] ?? 0)
  const change = await context.db.selectFrom('email_change').selectAll().where('id', '=', id).executeTakeFirst()
  const isRight = change && isSameSecret(token.trim(), tokenOf(context.chat, change, purpose))
  if (!isRight || !(await isValid(context, change, purpose))) {
    throw new ChatError('BAD_EMAIL_LINK', 'This link has expired or was already used')
  }
  const user = (await findUser(context.db, change.user_id))!
  if (!user.is_active) throw accountDeactivated()
  return { change, user }
}

const params = v.object({ token: described(text, 'The token of the link.') })
const result = v.strictObject({ old_email: v.string(), new_email: v.string() })
const errors = ['BAD_EMAIL_LINK', 'USER_DEACTIVATED'] as const

/**
 * GET /email_change: returns the addresses of a change that waits for its confirmation. It changes nothing, because
 * mail servers open links. It needs no sign-in because the token is the proof.
 *
 * @throws BAD_EMAIL_LINK if it was used, has expired or never existed
 * @throws USER_DEACTIVATED
 */
export const getEmailChange = publicAction(
  { name: 'getEmailChange', summary: 'Check a link that confirms an email address', params, result, errors },
  async (visitor, { token }) => addresses((await find(visitor, token, 'confirm')).change),
)

/**
 * POST /email_change: gives an account the address that the link was sent to.
 *
 * @throws BAD_EMAIL_LINK if it was used, has expired or never existed
 * @throws BAD_REQUEST if another account has the address since
 * @throws USER_DEACTIVATED
 */
export const confirmEmailChange = publicAction(
  { name: 'confirmEmailChange', summary: 'Confirm a new email address', params, result, errors },
  (visitor, { token }) =>
    visitor.write(async (tx) => {
      const { change, user } = await find(tx, token, 'confirm')
      await giveEmail(onBehalfOf(tx, user), user, change.new_email)
      await noteRead(tx, user.id)
      const confirmed_at = seconds(tx.chat.clock)
      await tx.db.updateTable('email_change').set({ confirmed_at }).where('id', '=', change.id).execute()
      await recordChange(tx, 'confirmEmailChange', user, change.new_email)
      return addresses(change)
    }),
)

/**
 * GET /email_change/undo: returns the addresses of a change that its account didn't want.
 *
 * @throws BAD_EMAIL_LINK if it was used, has expired or never existed
 * @throws USER_DEACTIVATED
 */
export const getEmailUndo = publicAction(
  { name: 'getEmailUndo', summary: 'Check a link that undoes a change of an email address', params, result, errors },
  async (visitor, { token }) => addresses((await find(visitor, token, 'undo')).change),
)

/**
 * POST /email_change/undo: gives an account its former address back, and signs it out everywhere, since somebody else
 * may have changed it. Later changes and their links end too, and so do passkeys, an authenticator app, a first password and
 * linked accounts that were added since, and the keys of its bots.
 *
 * @throws BAD_EMAIL_LINK if it was used, has expired or never existed
 * @throws BAD_REQUEST if another account has the address since
 * @throws USER_DEACTIVATED
 */
export const undoEmailChange = publicAction(
  { name: 'undoEmailChange', summary: 'Undo a change of an email address', params, result, errors },
  (visitor, { token }) =>
    visitor.write(async (tx) => {
      const { change, user } = await find(tx, token, 'undo')
      await giveEmail(onBehalfOf(tx, user), user, change.old_email)
      await noteRead(tx, user.id)
      await endChanges(tx, change)
      await endAccess(tx, user.id, { since: change.created_at })
      await unlinkSince(tx, change)
      await recordChange(tx, 'undoEmailChange', user, change.old_email)
      return addresses(change)
    }),
)

const recordChange = (tx: SystemTx, action: string, { id, delivery_email }: User, after: string) =>
  recordAct(tx, {
    action,
    subject_kind: 'user',
    subject_id: id,
    actor_id: id,
    before: { delivery_email },
    after: { delivery_email: after },
  })

const endChanges = (tx: SystemTx, { id, user_id }: EmailChange) =>
  tx.db.deleteFrom('email_change').where('user_id', '=', user_id).where('id', '>=', id).execute()

/** Accounts at providers may have been linked by the new address. */
const unlinkSince = ({ db }: SystemTx, { user_id, created_at }: EmailChange) =>
  db
    .deleteFrom('identity')
    .where('user_id', '=', user_id)
    .where('created_at', '>=', created_at)
    .where('issuer', 'like', 'https://%')
    .execute()

const addresses = ({ old_email, new_email }: EmailChange) => ({ old_email, new_email })

/** Removes changes whose links have expired. */
export const removeOldEmailChanges = (chat: Chat): Promise<void> =>
  contextOf(chat).write(
    async ({ db }) =>
      void (await db
        .deleteFrom('email_change')
        .where('created_at', '<', seconds(chat.clock) - VALID.undo)
        .execute()),
  )
