import { publicUrlOf } from '../../kernel/public-url.ts'
import { settingsOf } from '../../settings/organization.ts'
import type { WriteLetter } from './write-letter.ts'

/** Tells somebody that many sign-ins to their account failed. */
export const guessingLetter: WriteLetter = async (context, { user, data }) => {
  if (!user?.is_active) return { pointless: 'the account is deactivated' }
  const { count } = JSON.parse(data) as { count: number }
  const { name } = await settingsOf(context)
  return {
    to: user,
    subject: `Many failed sign-ins to your account in ${name}`,
    parts: [
      { text: `Hello ${user.full_name},` },
      {
        text: `${count} sign-ins to your account ${user.delivery_email} in ${name} failed within an hour. Somebody may be guessing your password.`,
      },
      {
        text: "Nobody got in this way. If you typed a wrong password yourself, there's nothing to do. Otherwise use a long password that you use nowhere else, and an authenticator app.",
      },
      { button: 'Open your account', url: `${publicUrlOf(context.chat)}/#settings/account` },
    ],
  }
}
