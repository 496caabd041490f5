import { publicUrlOf } from '../../kernel/public-url.ts'
import { settingsOf } from '../../settings/organization.ts'
import { readerOf } from '../reader.ts'
import type { WriteLetter } from './write-letter.ts'

/** Says that an administrator has deactivated the account, with their comment. */
export const deactivatedLetter: WriteLetter = async (context, { user, data }) => {
  if (!user || user.is_active) return { pointless: 'the account is active again' }
  const { name } = await settingsOf(context)
  const { comment = '' } = JSON.parse(data) as { comment?: string }
  const reader = await readerOf(context, user)
  const { account, common } = reader.texts
  return {
    to: user,
    reader,
    subject: account.deactivatedSubject(name),
    parts: [
      { text: common.hello(user.full_name) },
      { text: account.deactivated(user.delivery_email, name) },
      ...(comment.trim() === '' ? [] : [{ text: account.theyWrote }, { text: comment }]),
    ],
  }
}

/** Says that an administrator has reactivated the account. */
export const reactivatedLetter: WriteLetter = async (context, { user }) => {
  if (!user?.is_active) return { pointless: 'the account is deactivated again' }
  const { name } = await settingsOf(context)
  const reader = await readerOf(context, user)
  const { account, common } = reader.texts
  return {
    to: user,
    reader,
    subject: account.reactivatedSubject(name),
    parts: [
      { text: common.hello(user.full_name) },
      { text: account.reactivated(user.delivery_email, name) },
      { button: account.signIn, url: `${publicUrlOf(context.chat)}/` },
    ],
  }
}

/** Welcomes a new member with the address of the chat, which is nowhere else once an invitation is used. */
export const welcomeLetter: WriteLetter = async (context, { user }) => {
  if (!user?.is_active) return { pointless: 'the account is deactivated' }
  const { name, send_welcome_emails } = await settingsOf(context)
  if (!send_welcome_emails) return { pointless: 'welcome emails were switched off' }
  const reader = await readerOf(context, user)
  const { welcome, common } = reader.texts
  const url = publicUrlOf(context.chat)
  return {
    to: user,
    reader,
    subject: welcome.subject(name),
    parts: [
      { text: common.hello(user.full_name) },
      { text: welcome.text(name, user.delivery_email) },
      { button: common.openChat, url: `${url}/` },
      { text: welcome.apps(url) },
    ],
  }
}

/** Announces a finished export of the organization, or of the receiver's own data. It links to the settings. */
export const exportReadyLetter: WriteLetter = async (context, { user, data }) => {
  const { export_id, own = 0 } = JSON.parse(data) as { export_id: number; own?: number }
  const row = await context.db.selectFrom('data_export').selectAll().where('id', '=', export_id).executeTakeFirst()
  if (!user?.is_active || !row || row.deleted_at !== null || row.finished_at === null) {
    return { pointless: 'the export was deleted' }
  }
  const { name } = await settingsOf(context)
  const reader = await readerOf(context, user)
  const { account, common } = reader.texts
  return {
    to: user,
    reader,
    subject: own ? account.ownExportSubject(name) : account.exportSubject(name),
    parts: [
      { text: common.hello(user.full_name) },
      { text: own ? account.ownExport(name) : account.export(name) },
      { button: account.openSettings, url: `${publicUrlOf(context.chat)}/#settings/${own ? 'account' : 'exports'}` },
    ],
  }
}
