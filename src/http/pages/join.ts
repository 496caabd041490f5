import * as v from 'valibot'
import { getInvitation, joinByPage } from '../../core/accounts/invitations/join.ts'
import { publicAction } from '../../core/kernel/action.ts'
import { MAX_EMAIL_LENGTH, MAX_FULL_NAME_LENGTH } from '../../core/kernel/base/limits.ts'
import type { Context } from '../../core/kernel/context.ts'
import { described, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { escapeText } from '../../core/markup/html.ts'
import { type Page, page } from '../serve/page.ts'
import { formPage } from './form.ts'
import { checkbox, termsHtml } from './terms.ts'

const optionalText = v.optional(text, '')
const token = described(optionalText, 'The token of the link.')

/** GET /join: shows the form of an invitation's link. */
export const getJoinPage = publicAction(
  {
    name: 'getJoinPage',
    summary: 'Get the page to join with an invitation',
    params: v.object({ token }),
    result: page,
    answers: 'page',
  },
  (visitor, { token }) => joinForm.get(visitor, { token, email: '', full_name: '', terms: '' }),
)

/** POST /join: creates the account. */
export const postJoinPage = publicAction(
  {
    name: 'postJoinPage',
    summary: 'Join through the invitation page',
    params: v.object({
      token,
      email: described(optionalText, "Email address, if the invitation doesn't name one."),
      full_name: described(optionalText, 'Full name.'),
      terms: described(optionalText, 'The version of the terms that the person accepts.'),
      password: described(optionalText, 'Password for the new account.'),
      password_again: described(optionalText, 'The password again, to confirm it.'),
    }),
    result: page,
    answers: 'page',
  },
  (visitor, sent) => joinForm.post(visitor, sent),
)

const joinForm = formPage<{ token: string; email: string; full_name: string; terms: string }>({
  title: 'Join',
  async show(visitor, { token, email, full_name }) {
    const { organization, email: invited, terms } = await getInvitation(visitor, { token })
    const address = {
      name: 'email',
      label: 'Email',
      type: 'email',
      autocomplete: 'email',
      maxlength: MAX_EMAIL_LENGTH,
      value: email,
    } as const
    const name = {
      name: 'full_name',
      label: 'Your name',
      type: 'text',
      autocomplete: 'name',
      maxlength: MAX_FULL_NAME_LENGTH,
      value: full_name,
    } as const
    return {
      title: `Join ${escapeText(organization)}`,
      introduction: `${invited === null ? '' : `<p>You were invited as ${escapeText(invited)}.</p>\n`}${terms ? termsHtml(terms) : ''}`,
      fields: [...(terms ? [checkbox(terms)] : []), ...(invited === null ? [address] : []), name],
      known: { email: invited, organization },
      passwords: ['Password', 'Confirm password'],
      button: 'Join',
    }
  },
  async accept(visitor, { token, email: typed, full_name, terms, password }) {
    const { organization, email: invited } = await getInvitation(visitor, { token })
    const terms_version = /^\d{1,7}$/.test(terms) ? Number(terms) : null
    const given = { token, email: invited ?? typed, full_name, password, terms_version }
    const { email } = await joinByPage(visitor, given)
    return welcome(visitor, organization, email, password)
  },
})

function welcome({ chat, origin }: Context, organization: string, username: string, password: string): Page {
  const next = `<p><a href="${servedPath(chat, '/')}">Continue to ${escapeText(organization)}</a></p>
<p>To sign in from an app, add this server: <code>${escapeText(origin)}</code></p>`
  const name = escapeText(username)
  return {
    status: 200,
    title: `Welcome to ${escapeText(organization)}`,
    body: `<p>Your account is ready. Sign in as ${name} with your new password.</p>\n${next}`,
    signIn: { username, password, body: `<p>Your account is ready, and you're signed in as ${name}.</p>\n${next}` },
  }
}
