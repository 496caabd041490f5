import * as v from 'valibot'
import { publicAction } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import { randomText } from '../kernel/base/random.ts'
import { type Context, requireOpenOrganization, type SystemTx } from '../kernel/context.ts'
import { described } from '../kernel/fields.ts'
import { secretsOf } from '../kernel/secrets.ts'
import type { User } from '../kernel/user.ts'
import { requireMail } from '../mail/mail-service.ts'
import { enqueueMail, type MailRow } from '../mail/outbox.ts'
import { empty } from '../shapes/values.ts'
import { email } from './create.ts'
import { directoryOf } from './directory-accounts.ts'
import { PASSWORD_PAGE_PATH } from './password-links.ts'
import { passwordRule } from './providers/sign-on.ts'

/** Path of the page that asks for an address. Apps link to it too. */
export const PASSWORD_RESET_PAGE_PATH = '/accounts/password/reset'

/** Seconds for which a link is valid after the request. */
const LASTS = 3600

const HOUR = 3600
const DAY = 24 * HOUR
const MAX_PER_HOUR = 2
const MAX_PER_DAY = 5

/**
 * POST /password_reset: emails a link that sets a new password once within an hour. The response is the same whether or
 * not the account exists, and the account is looked up after it, so that its time tells nothing either.
 *
 * @throws MAIL_NOT_CONFIGURED if the server sends no email
 * @throws REALM_DEACTIVATED
 * @throws BAD_REQUEST for anything but an address
 */
export const requestPasswordReset = publicAction(
  {
    name: 'requestPasswordReset',
    summary: 'Email a link that sets a new password',
    params: v.object({ email: described(email, 'Email address of the account.') }),
    result: empty,
    limit: 'mail',
    errors: ['MAIL_NOT_CONFIGURED', 'REALM_DEACTIVATED'],
  },
  async (visitor, { email: address }) => {
    await requireMail(visitor)
    await requireOpenOrganization(visitor)
    const once = `password reset ${randomText(visitor.chat.random, 16)}`
    await visitor.write((tx) => enqueueMail(tx, { kind: 'password_reset', once, address, lasts: LASTS }))
    return {}
  },
)

/**
 * Returns the path that resets a password with the link of an email: the same path in each attempt to send it. Or why
 * there is none: the link was used since the first attempt, or the account got enough of these emails.
 */
export async function resetPath(
  context: Context,
  user: User,
  mail: MailRow,
): Promise<{ path: string } | { pointless: string }> {
  // Made of the secret, so that the outbox contains none.
  const token = secretsOf(context.chat).digest(`password reset ${mail.id} ${mail.message_id}`)
  const digest = secretsOf(context.chat).digest(token)
  if (!(await passwordRule(context, user.delivery_email)).allowed || (await directoryOf(context, user)))
    return { pointless: 'the account has no use for a password' }
  const pointless = await context.write((tx) => openReset(tx, user, mail, digest))
  return pointless === undefined ? { path: `${PASSWORD_PAGE_PATH}?token=${token}` } : { pointless }
}

const OPENED = JSON.stringify({ opened: true })

async function openReset(tx: SystemTx, user: User, mail: MailRow, digest: string): Promise<string | undefined> {
  const { db, chat } = tx
  const now = seconds(chat.clock)
  const found = await db.selectFrom('password_link').select('id').where('digest', '=', digest).executeTakeFirst()
  if (found) return undefined
  // A link that was used must not return with a second attempt.
  if (mail.data === OPENED) return 'the link was used or revoked'
  const times = (await othersOf(tx, user, mail)).filter((created_at) => created_at > now - DAY)
  if (times.length >= MAX_PER_DAY || times.filter((at) => at > now - HOUR).length >= MAX_PER_HOUR) {
    return 'the account got enough of these emails'
  }
  await db
    .insertInto('password_link')
    .values({
      user_id: user.id,
      digest,
      created_at: now,
      expires_at: mail.created_at + LASTS,
      created_by: null,
      address_key: user.email_key,
    })
    .execute()
  await db.updateTable('mail').set({ data: OPENED }).where('id', '=', mail.id).execute()
  return undefined
}

/** Returns the times of other emails to this account with a link. */
async function othersOf({ db }: SystemTx, { email_key }: User, { id }: MailRow): Promise<number[]> {
  const rows = await db
    .selectFrom('mail')
    .select('created_at')
    .where('kind', '=', 'password_reset')
    .where('address_key', '=', email_key)
    .where('id', '!=', id)
    .where((eb) => eb.or([eb('state', '=', 'sent'), eb('data', '=', OPENED)]))
    .execute()
  return rows.map(({ created_at }) => created_at)
}
