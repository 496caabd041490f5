import * as v from 'valibot'
import { getPasswordLink, setPasswordByLink } from '../../core/accounts/password-links.ts'
import { publicAction } from '../../core/action.ts'
import { MIN_PASSWORD_LENGTH } from '../../core/base/limits.ts'
import type { Context } from '../../core/context.ts'
import { isChatError } from '../../core/errors.ts'
import { described, text } from '../../core/fields.ts'
import { escapeText } from '../../core/markup/html.ts'
import { type Page, page } from '../../core/transport.ts'
import { statusOf } from '../responses.ts'

const token = described(v.optional(text, ''), 'The token of the link.')
const title = 'New password'

/** GET /password: the form behind a link that sets a password. */
export const getPasswordPage = publicAction(
  {
    name: 'getPasswordPage',
    summary: 'Get the page that sets a password',
    params: v.object({ token }),
    result: page,
    answers: 'page',
  },
  (visitor, params) => orRefusal(async () => form(visitor, params.token)),
)

/** POST of that form. */
export const postPasswordPage = publicAction(
  {
    name: 'postPasswordPage',
    summary: 'Set a password by the page',
    params: v.object({
      token,
      password: described(v.optional(text, ''), 'The new password.'),
      password_again: described(v.optional(text, ''), 'The same once more.'),
    }),
    result: page,
    answers: 'page',
  },
  (visitor, { token, password, password_again }) =>
    orRefusal(async () => {
      if (password !== password_again) return form(visitor, token, 'The two are not the same.')
      try {
        const { email } = await setPasswordByLink(visitor, { token, password })
        const body = `<p>${escapeText(email)} has a new password. Sign in with it. All earlier sign-ins have ended.</p>`
        return { status: 200, title: 'Done', body }
      } catch (error) {
        if (isChatError(error) && error.code === 'BAD_REQUEST') return form(visitor, token, error.message)
        throw error
      }
    }),
)

/** @NOTE sent to the page's own address, which has the token. */
async function form(visitor: Context, token: string, problem?: string): Promise<Page> {
  const { email, full_name } = await getPasswordLink(visitor, { token })
  const field = (name: string, label: string) =>
    `<label>${label}<input type="password" name="${name}" minlength="${MIN_PASSWORD_LENGTH}" required autocomplete="new-password"></label>`
  const body = `<p>For ${escapeText(full_name)}, ${escapeText(email)}.</p>
${problem ? `<p role="alert">${escapeText(problem)}</p>` : ''}
<form method="post">
${field('password', 'New password')}
${field('password_again', 'Once more')}
<button>Set password</button>
</form>`
  return { status: problem ? 400 : 200, title, body }
}

/** A refusal as a page, for a browser shows it to somebody. */
async function orRefusal(answer: () => Promise<Page>): Promise<Page> {
  try {
    return await answer()
  } catch (error) {
    if (!isChatError(error)) throw error
    return { status: statusOf[error.kind], title, body: `<p role="alert">${escapeText(error.message)}</p>` }
  }
}
