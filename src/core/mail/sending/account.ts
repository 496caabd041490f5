import { publicUrlOf } from '../../kernel/public-url.ts'
import { settingsOf } from '../../settings/organization.ts'
import type { WriteLetter } from './write-letter.ts'

/** Says that an administrator has deactivated the account, with their comment. */
export const deactivatedLetter: WriteLetter = async (context, { user, data }) => {
  if (!user || user.is_active) return { pointless: 'the account is active again' }
  const { name } = await settingsOf(context)
  const { comment = '' } = JSON.parse(data) as { comment?: string }
  return {
    to: user,
    subject: `Your account in ${name} was deactivated`,
    parts: [
      { text: `Hello ${user.full_name},` },
      {
        text: `An administrator deactivated your account ${user.delivery_email} in ${name}. You can't sign in anymore.`,
      },
      ...(comment.trim() === '' ? [] : [{ text: 'They wrote:' }, { text: comment }]),
    ],
  }
}

/** Says that an administrator has reactivated the account. */
export const reactivatedLetter: WriteLetter = async (context, { user }) => {
  if (!user?.is_active) return { pointless: 'the account is deactivated again' }
  const { name } = await settingsOf(context)
  return {
    to: user,
    subject: `Your account in ${name} is active again`,
    parts: [
      { text: `Hello ${user.full_name},` },
      {
        text: `An administrator reactivated your account ${user.delivery_email} in ${name}. Sign in with your password.`,
      },
      { button: 'Sign in', url: `${publicUrlOf(context.chat)}/` },
    ],
  }
}

/** Announces a finished export. It links to the settings, because anyone with the file's own link could download it. */
export const exportReadyLetter: WriteLetter = async (context, { user, data }) => {
  const { export_id } = JSON.parse(data) as { export_id: number }
  const row = await context.db.selectFrom('data_export').selectAll().where('id', '=', export_id).executeTakeFirst()
  if (!user?.is_active || !row || row.deleted_at !== null || row.finished_at === null) {
    return { pointless: 'the export was deleted' }
  }
  const { name } = await settingsOf(context)
  return {
    to: user,
    subject: `The export of ${name} is ready`,
    parts: [
      { text: `Hello ${user.full_name},` },
      { text: `The export of ${name} that you started is ready. Download it in the settings of the organization.` },
      { button: 'Open the settings', url: `${publicUrlOf(context.chat)}/#settings/exports` },
    ],
  }
}
