import * as v from 'valibot'
import { confirmEmailChange, getEmailChange, getEmailUndo, undoEmailChange } from '../../core/accounts/change-email.ts'
import { PASSWORD_RESET_PAGE_PATH } from '../../core/accounts/password-reset.ts'
import { publicAction } from '../../core/kernel/action.ts'
import { described, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { escapeText } from '../../core/markup/html.ts'
import { page } from '../serve/page.ts'
import { form, orRefusal } from './form.ts'

const params = v.object({ token: described(v.optional(text, ''), 'The token of the link.') })
// A button, because mail servers open the links of emails to check them.
const common = { params, result: page, answers: 'page' } as const

const CONFIRM = 'Confirm your email address'
const UNDO = 'Keep your email address'

/** GET /accounts/confirm_new_email: shows the button that confirms a new address. */
export const getConfirmEmailPage = publicAction(
  { name: 'getConfirmEmailPage', summary: 'Get the page that confirms an email address', ...common },
  (visitor, { token }) =>
    orRefusal(visitor, CONFIRM, async () => {
      const { old_email, new_email } = await getEmailChange(visitor, { token })
      const about = `<p>Change the email address of your account from ${escapeText(old_email)} to <strong>${escapeText(new_email)}</strong>.</p>\n`
      return { status: 200, title: CONFIRM, body: about + form(undefined, [], 'Confirm') }
    }),
)

/** POST /accounts/confirm_new_email: changes the address. */
export const postConfirmEmailPage = publicAction(
  { name: 'postConfirmEmailPage', summary: 'Confirm an email address by the page', ...common },
  (visitor, { token }) =>
    orRefusal(visitor, CONFIRM, async () => {
      const { new_email } = await confirmEmailChange(visitor, { token })
      const body = `<p>Your account now has the address ${escapeText(new_email)}. Use it to sign in.</p>
<p><a href="${servedPath(visitor.chat, '/')}">Continue</a></p>`
      return { status: 200, title: 'Email address changed', body }
    }),
)

/** GET /accounts/undo_new_email: shows the button that undoes a change of the address. */
export const getUndoEmailPage = publicAction(
  { name: 'getUndoEmailPage', summary: 'Get the page that undoes a change of an email address', ...common },
  (visitor, { token }) =>
    orRefusal(visitor, UNDO, async () => {
      const { old_email, new_email } = await getEmailUndo(visitor, { token })
      const about = `<p>Your account keeps the address <strong>${escapeText(old_email)}</strong> instead of ${escapeText(new_email)}, and is signed out everywhere.</p>\n`
      return { status: 200, title: UNDO, body: about + form(undefined, [], 'Keep my address') }
    }),
)

/** POST /accounts/undo_new_email: gives the former address back. */
export const postUndoEmailPage = publicAction(
  { name: 'postUndoEmailPage', summary: 'Undo a change of an email address by the page', ...common },
  (visitor, { token }) =>
    orRefusal(visitor, UNDO, async () => {
      const { old_email } = await undoEmailChange(visitor, { token })
      const body = `<p>Your account has the address ${escapeText(old_email)}, and was signed out everywhere. Somebody else may know your password, so choose a new one.</p>
<p><a href="${servedPath(visitor.chat, PASSWORD_RESET_PAGE_PATH)}">Reset password</a></p>`
      return { status: 200, title: 'Email address kept', body }
    }),
)
