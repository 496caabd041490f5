import { publicUrlOf } from '../../kernel/public-url.ts'
import { settingsOf } from '../../settings/organization.ts'
import { atTime, readerOf } from '../reader.ts'
import type { WriteLetter } from './write-letter.ts'

/** Tells somebody that a device signed in to their account for the first time. */
export const signInLetter: WriteLetter = async (context, { user, data }) => {
  if (!user?.is_active) return { pointless: 'the account is deactivated' }
  const { device, address, at } = JSON.parse(data) as { device: string; address: string; at: number }
  const { name } = await settingsOf(context)
  const reader = await readerOf(context, user)
  const { signIn, common } = reader.texts
  const { delivery_email } = user
  const lines = [
    common.labeled(signIn.device, inert(device) || signIn.unknownDevice),
    common.labeled(signIn.time, atTime(at, reader)),
  ]
  return {
    to: user,
    reader,
    subject: signIn.subject(name),
    parts: [
      { text: common.hello(user.full_name) },
      { text: address === '' ? signIn.text(delivery_email, name) : signIn.textFrom(delivery_email, name, address) },
      { text: lines.join('\n') },
      { text: signIn.ifYou },
      { button: signIn.review, url: `${publicUrlOf(context.chat)}/#settings/sessions` },
    ],
  }
}

const MAX_NAME = 40

/** The other side chooses the name of its device, so it must not become a link or a sentence. */
const inert = (name: string): string =>
  [
    ...name
      .replace(/[^\p{L}\p{N} _-]+/gu, ' ')
      .replace(/\s+/g, ' ')
      .trim(),
  ]
    .slice(0, MAX_NAME)
    .join('')
