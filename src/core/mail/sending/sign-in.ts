import { publicUrlOf } from '../../kernel/public-url.ts'
import { settingsOf } from '../../settings/organization.ts'
import { settingsOfUser } from '../../settings/user.ts'
import { atTime } from './times.ts'
import type { WriteLetter } from './write-letter.ts'

/** Tells somebody that a device signed in to their account for the first time. */
export const signInLetter: WriteLetter = async (context, { user, data }) => {
  if (!user?.is_active) return { pointless: 'the account is deactivated' }
  const { device, address, at } = JSON.parse(data) as { device: string; address: string; at: number }
  const { name } = await settingsOf(context)
  const { twenty_four_hour_time } = await settingsOfUser(context, user.id)
  const from = address === '' ? '' : ` from the address ${address}`
  const time = atTime(at, user, twenty_four_hour_time)
  return {
    to: user,
    subject: `New sign-in to ${name}`,
    parts: [
      { text: `Hello ${user.full_name},` },
      { text: `A new device signed in to your account ${user.delivery_email} in ${name}${from}.` },
      { text: `Device: ${inert(device)}\nTime: ${time}` },
      { text: "If this was you, there's nothing to do. Otherwise sign out everywhere, and choose a new password." },
      { button: 'Review your sessions', url: `${publicUrlOf(context.chat)}/#settings/sessions` },
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
    .join('') || 'unknown'
