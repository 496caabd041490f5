import * as v from 'valibot'
import { getPasswordLink, setPasswordByLink } from '../../core/accounts/password-links.ts'
import { publicAction } from '../../core/kernel/action.ts'
import type { Context } from '../../core/kernel/context.ts'
import { isChatError } from '../../core/kernel/errors.ts'
import { described, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { type Page, page } from '../../core/kernel/transport.ts'
import { escapeText } from '../../core/markup/html.ts'
import { form, newPassword, orRefusal, PASSWORDS_DIFFER } from './form.ts'

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
  (visitor, params) => orRefusal(visitor, title, async () => pageWithForm(visitor, params.token)),
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
    orRefusal(visitor, title, async () => {
      if (password !== password_again) return pageWithForm(visitor, token, PASSWORDS_DIFFER)
      try {
        const { email } = await setPasswordByLink(visitor, { token, password })
        return done(visitor, email, password)
      } catch (error) {
        if (isChatError(error) && error.code === 'BAD_REQUEST') return pageWithForm(visitor, token, error.message)
        throw error
      }
    }),
)

async function pageWithForm(visitor: Context, token: string, problem?: string): Promise<Page> {
  const { email, full_name } = await getPasswordLink(visitor, { token })
  const body = `<p>For ${escapeText(full_name)}, ${escapeText(email)}.</p>
${form(problem, [newPassword('password', 'New password'), newPassword('password_again', 'Once more')], 'Set password')}`
  return { status: problem ? 400 : 200, title, body }
}

function done({ chat }: Context, username: string, password: string): Page {
  const name = escapeText(username)
  return {
    status: 200,
    title: 'Done',
    body: `<p>${name} has a new password. Sign in with it. All earlier sign-ins have ended.</p>
<p><a href="${servedPath(chat, '/')}">Sign in</a></p>`,
    signIn: {
      username,
      password,
      body: `<p>${name} has a new password, and is signed in here. All earlier sign-ins have ended.</p>
<p><a href="${servedPath(chat, '/')}">Continue</a></p>`,
    },
  }
}
