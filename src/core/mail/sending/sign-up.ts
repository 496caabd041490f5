import { linkOf } from '../../accounts/invitations/stored.ts'
import { signUpInvitation } from '../../accounts/sign-up/request.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Context } from '../../kernel/context.ts'
import { publicUrlOf } from '../../kernel/public-url.ts'
import { settingsOf } from '../../settings/organization.ts'
import { findUserByEmail } from '../../users/access.ts'
import type { MailRow } from '../outbox.ts'
import { readerOf } from '../reader.ts'
import type { WriteLetter } from './write-letter.ts'

/** Emails to one address within an hour. Strangers ask for them. */
const MAX_PER_HOUR = 3

/** Sends the link that creates an account, or says that there is one already. */
export const signUpLetter: WriteLetter = async (context, mail) => {
  const { address } = mail
  if ((await recentlySent(context, mail)) >= MAX_PER_HOUR)
    return { pointless: 'the address got enough of these emails' }
  const user = await findUserByEmail(context.db, address ?? '')
  const { name } = await settingsOf(context)
  if (user) {
    if (user.bot_type !== null || !user.is_active) return { pointless: 'the address belongs to a deactivated account' }
    const reader = await readerOf(context, user)
    const { signUp, common } = reader.texts
    return {
      to: user,
      reader,
      subject: signUp.existsSubject(name),
      parts: [
        { text: common.hello(user.full_name) },
        { text: signUp.exists(user.delivery_email, name) },
        { button: signUp.signIn(name), url: publicUrlOf(context.chat) },
        { text: common.ignore },
      ],
    }
  }
  const invitation = await signUpInvitation(context, address ?? '')
  if (!invitation) return { pointless: 'the organization does not accept this address anymore' }
  const reader = await readerOf(context, undefined)
  const { signUp, common } = reader.texts
  return {
    reader,
    subject: signUp.confirmSubject(name),
    parts: [
      { text: common.helloStranger },
      { text: signUp.confirm(invitation.email ?? '', name) },
      {
        button: signUp.create,
        url: linkOf({ chat: context.chat, origin: publicUrlOf(context.chat) }, invitation, 'email'),
      },
      { text: signUp.once },
    ],
  }
}

/** Returns how many earlier emails of this kind the address gets within an hour. */
async function recentlySent({ db, chat }: Context, { id, address_key }: MailRow): Promise<number> {
  const { count } = await db
    .selectFrom('mail')
    .select((eb) => eb.fn.countAll<number | string>().as('count'))
    .where('kind', '=', 'sign_up')
    .where('address_key', '=', address_key)
    // Others may be sent at the same time as this one.
    .where('state', 'in', ['queued', 'sending', 'sent'])
    .where('id', '<', id)
    .where('created_at', '>', seconds(chat.clock) - 3600)
    .executeTakeFirstOrThrow()
  return Number(count)
}
