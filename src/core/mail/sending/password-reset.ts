import { resetPath } from '../../accounts/password-reset.ts'
import { publicUrlOf } from '../../kernel/public-url.ts'
import { settingsOf } from '../../settings/organization.ts'
import { findUserByEmail } from '../../users/access.ts'
import type { WriteLetter } from './write-letter.ts'

/** Sends the link to the address of the account, never to the one that was typed. Unknown addresses get no email. */
export const passwordResetLetter: WriteLetter = async (context, mail) => {
  const user = await findUserByEmail(context.db, mail.address ?? '')
  if (!user || user.bot_type !== null) return { pointless: 'no account has this address' }
  if (!user.is_active) return { pointless: 'the account is deactivated' }
  const opened = await resetPath(context, user, mail)
  if ('pointless' in opened) return opened
  const { name } = await settingsOf(context)
  return {
    to: user,
    subject: `Reset your password for ${name}`,
    parts: [
      { text: `Hello ${user.full_name},` },
      { text: `Somebody asked for a new password for your account ${user.delivery_email} in ${name}.` },
      { button: 'Choose a new password', url: publicUrlOf(context.chat) + opened.path },
      { text: 'The link works once within an hour. It signs you out everywhere else.' },
      { text: "If this wasn't you, ignore this email. Your password stays the same." },
    ],
  }
}
