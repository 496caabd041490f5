import * as v from 'valibot'
import { getPasswordLink, setPasswordByLink } from '../../core/accounts/password-links.ts'
import { publicAction } from '../../core/kernel/action.ts'
import type { Context } from '../../core/kernel/context.ts'
import { described, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { escapeText } from '../../core/markup/html.ts'
import { settingsOf } from '../../core/settings/organization.ts'
import { type Page, page } from '../serve/page.ts'
import { formPage } from './form.ts'
import { readerWith } from './language.ts'

const token = described(v.optional(text, ''), 'The token of the link.')

/** GET /password: shows the form of a password link. */
export const getPasswordPage = publicAction(
  {
    name: 'getPasswordPage',
    summary: 'Get the page to set a password',
    params: v.object({ token }),
    result: page,
    answers: 'page',
  },
  (visitor, given) => passwordForm.get(visitor, given),
)

/** POST /password: sets the password. */
export const postPasswordPage = publicAction(
  {
    name: 'postPasswordPage',
    summary: 'Set a password through the page',
    params: v.object({
      token,
      password: described(v.optional(text, ''), 'The new password.'),
      password_again: described(v.optional(text, ''), 'The password again, to confirm it.'),
    }),
    result: page,
    answers: 'page',
  },
  (visitor, sent) => passwordForm.post(visitor, sent),
)

const passwordForm = formPage<{ token: string }>({
  title: ({ password }) => password.title,
  async show(visitor, { token }) {
    const { email, full_name } = await getPasswordLink(visitor, { token })
    const { name: organization } = await settingsOf(visitor)
    return {
      reader: await readerWith(visitor, email),
      introduction: ({ password }) => `<p>${password.for(escapeText(full_name), escapeText(email))}</p>\n`,
      fields: () => [],
      known: { email, full_name, organization },
      passwords: ({ password }) => [password.new, password.confirmNew],
      button: ({ password }) => password.action,
    }
  },
  async accept(visitor, { token, password }) {
    const { email } = await setPasswordByLink(visitor, { token, password })
    return { ...done(visitor, email, password), reader: await readerWith(visitor, email) }
  },
})

function done({ chat }: Context, username: string, password: string): Page {
  const name = escapeText(username)
  const link = (label: string) => `<p><a href="${servedPath(chat, '/')}">${label}</a></p>`
  return {
    status: 200,
    title: ({ password }) => password.changedTitle,
    body: ({ common, password }) => `<p>${password.changed(name)}</p>\n${link(common.signIn)}`,
    signIn: {
      username,
      password,
      body: ({ common, password }) => `<p>${password.changedHere(name)}</p>\n${link(common.continue)}`,
    },
  }
}
