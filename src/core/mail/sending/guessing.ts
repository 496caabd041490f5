import { publicUrlOf } from '../../kernel/public-url.ts'
import { settingsOf } from '../../settings/organization.ts'
import { readerOf } from '../reader.ts'
import type { WriteLetter } from './write-letter.ts'

/** Tells somebody that many sign-ins to their account failed. */
export const guessingLetter: WriteLetter = async (context, { user, data }) => {
  if (!user?.is_active) return { pointless: 'the account is deactivated' }
  const { count } = JSON.parse(data) as { count: number }
  const { name } = await settingsOf(context)
  const reader = await readerOf(context, user)
  const { guessing, common } = reader.texts
  return {
    to: user,
    reader,
    subject: guessing.subject(name),
    parts: [
      { text: common.hello(user.full_name) },
      { text: guessing.text(count, user.delivery_email, name) },
      { text: guessing.advice },
      { button: guessing.open, url: `${publicUrlOf(context.chat)}/#settings/account` },
    ],
  }
}
