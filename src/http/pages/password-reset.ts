import * as v from 'valibot'
import { requestPasswordReset } from '../../core/accounts/password-reset.ts'
import { publicAction } from '../../core/kernel/action.ts'
import { MAX_EMAIL_LENGTH } from '../../core/kernel/base/limits.ts'
import type { Context } from '../../core/kernel/context.ts'
import { isChatError } from '../../core/kernel/errors.ts'
import { described, none, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { requireMail } from '../../core/mail/mail-service.ts'
import { escapeText } from '../../core/markup/html.ts'
import { type Page, page } from '../serve/page.ts'
import { form, orRefusal } from './form.ts'

const title = 'Reset your password'

/** GET /accounts/password/reset: asks for the address of an account. */
export const getPasswordResetPage = publicAction(
  {
    name: 'getPasswordResetPage',
    summary: 'Get the page that asks for a new password',
    params: none,
    result: page,
    answers: 'page',
  },
  (visitor) =>
    orRefusal(visitor, title, async () => {
      await requireMail(visitor)
      return asking(visitor, '')
    }),
)

/** POST /accounts/password/reset: emails a link, if the account exists. The page is always the same. */
export const postPasswordResetPage = publicAction(
  {
    name: 'postPasswordResetPage',
    summary: 'Ask for a new password by the page',
    params: v.object({ email: described(v.optional(text, ''), 'Email address of the account.') }),
    result: page,
    answers: 'page',
    limit: 'mail',
  },
  (visitor, { email: typed }) =>
    orRefusal(visitor, title, async () => {
      const email = typed.trim()
      try {
        await requestPasswordReset(visitor, { email })
      } catch (error) {
        if (isChatError(error) && error.code === 'BAD_REQUEST') return asking(visitor, email, error.message)
        throw error
      }
      const body = `<p>If ${escapeText(email)} has an account here, we sent it a link to choose a new password. The link works for an hour.</p>
<p>Nothing arrived after a few minutes? Check the spam folder and the address.</p>
${back(visitor)}`
      return { status: 200, title: 'Check your email', body }
    }),
)

const back = ({ chat }: Context): string => `<p><a href="${servedPath(chat, '/')}">Back to sign in</a></p>`

function asking(visitor: Context, value: string, problem?: string): Page {
  const field = { name: 'email', label: 'Email', type: 'email', autocomplete: 'username', value } as const
  const introduction = '<p>Enter the email address of your account. We send you a link to choose a new password.</p>\n'
  return {
    status: problem === undefined ? 200 : 400,
    title,
    body: `${introduction}${form(problem, [{ ...field, maxlength: MAX_EMAIL_LENGTH }], 'Send link')}\n${back(visitor)}`,
  }
}
