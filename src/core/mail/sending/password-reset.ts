import { resetPath } from '../../accounts/password-reset.ts'
import { publicUrlOf } from '../../kernel/public-url.ts'
import { settingsOf } from '../../settings/organization.ts'
import { findUserByEmail } from '../../users/access.ts'
import { readerOf } from '../reader.ts'
import type { WriteLetter } from './write-letter.ts'

/** Sends the link to the address of the account, never to the one that was typed. Unknown addresses get no email. */
export const passwordResetLetter: WriteLetter = async (context, mail) => {
  const user = await findUserByEmail(context.db, mail.address ?? '')
  if (!user || user.bot_type !== null) return { pointless: 'no account has this address' }
  if (!user.is_active) return { pointless: 'the account is deactivated' }
  const opened = await resetPath(context, user, mail)
  if ('pointless' in opened) return opened
  const { name } = await settingsOf(context)
  const reader = await readerOf(context, user)
  const { passwordReset, common } = reader.texts
  return {
    to: user,
    reader,
    subject: passwordReset.subject(name),
    parts: [
      { text: common.hello(user.full_name) },
      { text: passwordReset.text(user.delivery_email, name) },
      { button: passwordReset.choose, url: publicUrlOf(context.chat) + opened.path },
      { text: passwordReset.once },
      { text: passwordReset.ignore },
    ],
  }
}
