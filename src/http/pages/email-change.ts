import * as v from 'valibot'
import { confirmEmailChange, getEmailChange, getEmailUndo, undoEmailChange } from '../../core/accounts/change-email.ts'
import { PASSWORD_RESET_PAGE_PATH } from '../../core/accounts/password-reset.ts'
import { publicAction } from '../../core/kernel/action.ts'
import { described, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { escapeText } from '../../core/markup/html.ts'
import { page, type Words } from '../serve/page.ts'
import { form, orRefusal } from './form.ts'
import { readerWith } from './language.ts'

const params = v.object({ token: described(v.optional(text, ''), 'The token of the link.') })
// A button, because mail servers open the links of emails to check them.
const common = { params, result: page, answers: 'page' } as const

const confirmTitle: Words = ({ emailChange }) => emailChange.confirmTitle
const undoTitle: Words = ({ emailChange }) => emailChange.undoTitle

const strong = (text: string): string => `<strong>${escapeText(text)}</strong>`

/** GET /accounts/confirm_new_email: shows the button that confirms a new address. */
export const getConfirmEmailPage = publicAction(
  { name: 'getConfirmEmailPage', summary: 'Get the page that confirms an email address', ...common },
  (visitor, { token }) =>
    orRefusal(visitor, confirmTitle, async () => {
      const { old_email, new_email } = await getEmailChange(visitor, { token })
      const body: Words = ({ emailChange }) =>
        `<p>${emailChange.confirmText(escapeText(old_email), strong(new_email))}</p>
${form(undefined, [], emailChange.confirm)}`
      return { status: 200, title: confirmTitle, body, reader: await readerWith(visitor, old_email) }
    }),
)

/** POST /accounts/confirm_new_email: changes the address. */
export const postConfirmEmailPage = publicAction(
  { name: 'postConfirmEmailPage', summary: 'Confirm an email address by the page', ...common },
  (visitor, { token }) =>
    orRefusal(visitor, confirmTitle, async () => {
      const { new_email } = await confirmEmailChange(visitor, { token })
      const body: Words = ({ common, emailChange }) => `<p>${emailChange.changed(escapeText(new_email))}</p>
<p><a href="${servedPath(visitor.chat, '/')}">${common.continue}</a></p>`
      const title: Words = ({ emailChange }) => emailChange.changedTitle
      return { status: 200, title, body, reader: await readerWith(visitor, new_email) }
    }),
)

/** GET /accounts/undo_new_email: shows the button that undoes a change of the address. */
export const getUndoEmailPage = publicAction(
  { name: 'getUndoEmailPage', summary: 'Get the page that undoes a change of an email address', ...common },
  (visitor, { token }) =>
    orRefusal(visitor, undoTitle, async () => {
      const { old_email, new_email } = await getEmailUndo(visitor, { token })
      const body: Words = ({ emailChange }) =>
        `<p>${emailChange.undoText(strong(old_email), escapeText(new_email))}</p>
${form(undefined, [], emailChange.undo)}`
      return { status: 200, title: undoTitle, body, reader: await readerWith(visitor, old_email, new_email) }
    }),
)

/** POST /accounts/undo_new_email: gives the former address back. */
export const postUndoEmailPage = publicAction(
  { name: 'postUndoEmailPage', summary: 'Undo a change of an email address by the page', ...common },
  (visitor, { token }) =>
    orRefusal(visitor, undoTitle, async () => {
      const { old_email } = await undoEmailChange(visitor, { token })
      const reset = servedPath(visitor.chat, PASSWORD_RESET_PAGE_PATH)
      const body: Words = ({ emailChange }) => `<p>${emailChange.kept(escapeText(old_email))}</p>
<p><a href="${reset}">${emailChange.resetPassword}</a></p>`
      const title: Words = ({ emailChange }) => emailChange.keptTitle
      return { status: 200, title, body, reader: await readerWith(visitor, old_email) }
    }),
)
