import * as v from 'valibot'
import { getInvitation, joinByPage } from '../../core/accounts/invitations/join.ts'
import { publicAction } from '../../core/kernel/action.ts'
import type { Context } from '../../core/kernel/context.ts'
import { described, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { escapeText } from '../../core/markup/html.ts'
import { type Page, page, type Words, wordsIn } from '../serve/page.ts'
import { emailField, nameField } from './fields.ts'
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
  title: ({ join }) => join.title,
  async show(visitor, { token, email, full_name }) {
    const { organization, email: invited, terms } = await getInvitation(visitor, { token })
    return {
      title: ({ join }) => join.titleOf(escapeText(organization)),
      introduction: ({ join }) =>
        `${invited === null ? '' : `<p>${join.invitedAs(escapeText(invited))}</p>\n`}${terms ? termsHtml(terms) : ''}`,
      fields: (texts) => [
        ...(terms ? [checkbox(terms, texts)] : []),
        ...(invited === null ? [emailField(texts, email)] : []),
        nameField(texts, full_name),
      ],
      known: { email: invited, organization },
      passwords: ({ common }) => [common.password, common.confirmPassword],
      button: ({ join }) => join.action,
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
  const next: Words = ({ common, join }) =>
    `<p><a href="${servedPath(chat, '/')}">${common.continueTo(escapeText(organization))}</a></p>
<p>${join.inApps(`<code>${escapeText(origin)}</code>`)}</p>`
  const name = escapeText(username)
  return {
    status: 200,
    title: ({ join }) => join.welcome(escapeText(organization)),
    body: (texts) => `<p>${texts.join.ready(name)}</p>\n${wordsIn(texts, next)}`,
    signIn: {
      username,
      password,
      body: (texts) => `<p>${texts.join.signedIn(name)}</p>\n${wordsIn(texts, next)}`,
    },
  }
}
