import { type EmailChange, emailChangePath, isValid } from '../../accounts/change-email.ts'
import type { Context } from '../../kernel/context.ts'
import { publicUrlOf } from '../../kernel/public-url.ts'
import { settingsOf } from '../../settings/organization.ts'
import type { MailRow } from '../outbox.ts'
import type { WriteLetter } from './write-letter.ts'

const pointless = { pointless: 'the change was confirmed, undone or has expired' }

async function changeOf({ db }: Context, { data }: MailRow): Promise<EmailChange | undefined> {
  const { change_id } = JSON.parse(data) as { change_id: number }
  return db.selectFrom('email_change').selectAll().where('id', '=', change_id).executeTakeFirst()
}

/** Asks the new address for a confirmation. */
export const emailConfirmationLetter: WriteLetter = async (context, mail) => {
  const change = await changeOf(context, mail)
  if (!change || !(await isValid(context, change, 'confirm'))) return pointless
  const { name } = await settingsOf(context)
  return {
    subject: `Confirm your new email address for ${name}`,
    parts: [
      { text: `Hello ${mail.user?.full_name ?? ''},` },
      { text: `Confirm that ${change.new_email} is the new address of your account in ${name}.` },
      {
        button: 'Confirm this address',
        url: publicUrlOf(context.chat) + emailChangePath(context.chat, change, 'confirm'),
      },
      { text: "The link is valid for a day. If this wasn't you, ignore this email." },
    ],
  }
}

/** Tells the old address, whose owner may not be the one who changed it. */
export const emailChangeLetter: WriteLetter = async (context, mail) => {
  const change = await changeOf(context, mail)
  if (!change || !(await isValid(context, change, 'undo'))) return pointless
  const { name } = await settingsOf(context)
  return {
    subject: `Your email address for ${name} is changing`,
    parts: [
      { text: `Hello ${mail.user?.full_name ?? ''},` },
      { text: `Your account in ${name} gets the address ${change.new_email} when it is confirmed.` },
      { text: "If this wasn't you, keep your address and sign out everywhere. The link is valid for 7 days:" },
      { button: 'Keep my address', url: publicUrlOf(context.chat) + emailChangePath(context.chat, change, 'undo') },
      { text: 'Then choose a new password.' },
    ],
  }
}
