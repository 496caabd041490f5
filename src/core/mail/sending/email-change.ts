import { type EmailChange, emailChangePath, isValid } from '../../accounts/change-email.ts'
import type { Context } from '../../kernel/context.ts'
import { publicUrlOf } from '../../kernel/public-url.ts'
import { settingsOf } from '../../settings/organization.ts'
import type { MailRow } from '../outbox.ts'
import { readerOf } from '../reader.ts'
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
  const reader = await readerOf(context, mail.user)
  const { emailChange, common } = reader.texts
  const url = publicUrlOf(context.chat) + emailChangePath(context.chat, change, 'confirm')
  return {
    reader,
    subject: emailChange.confirmSubject(name),
    parts: [
      { text: common.hello(mail.user?.full_name ?? '') },
      { text: emailChange.confirm(change.new_email, name) },
      { button: emailChange.confirmButton, url },
      { text: emailChange.day },
    ],
  }
}

/** Tells the old address, whose owner may not be the one who changed it. */
export const emailChangeLetter: WriteLetter = async (context, mail) => {
  const change = await changeOf(context, mail)
  if (!change || !(await isValid(context, change, 'undo'))) return pointless
  const { name } = await settingsOf(context)
  const reader = await readerOf(context, mail.user)
  const { emailChange, common } = reader.texts
  return {
    reader,
    subject: emailChange.changeSubject(name),
    parts: [
      { text: common.hello(mail.user?.full_name ?? '') },
      { text: emailChange.change(change.new_email, name) },
      { text: emailChange.keep },
      {
        button: emailChange.keepButton,
        url: publicUrlOf(context.chat) + emailChangePath(context.chat, change, 'undo'),
      },
      { text: emailChange.thenPassword },
    ],
  }
}
