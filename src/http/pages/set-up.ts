import * as v from 'valibot'
import { publicAction } from '../../core/kernel/action.ts'
import type { Context } from '../../core/kernel/context.ts'
import { described, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { escapeText } from '../../core/markup/html.ts'
import { requireSetUpOwner, setUp } from '../../core/organization/set-up.ts'
import type { FormTexts } from '../page-texts/en.ts'
import { type Page, page } from '../serve/page.ts'
import { emailField, nameField } from './fields.ts'
import { formPage } from './form.ts'

const optionalText = v.optional(text, '')
const token = described(optionalText, 'The token of the link.')

/** GET /set-up: shows the form behind the link that the first start prints. */
export const getSetUpPage = publicAction(
  {
    name: 'getSetUpPage',
    summary: 'Get the page to set up a new organization',
    params: v.object({ token }),
    result: page,
    answers: 'page',
  },
  (visitor, { token }) => setUpForm.get(visitor, { token, organization: '', full_name: '', email: '' }),
)

/** POST /set-up: names the organization and its owner. */
export const postSetUpPage = publicAction(
  {
    name: 'postSetUpPage',
    summary: 'Set up a new organization through the page',
    params: v.object({
      token,
      organization: described(optionalText, 'Name of the organization.'),
      full_name: described(optionalText, 'Full name of its owner.'),
      email: described(optionalText, 'Email address of its owner.'),
      language: described(v.optional(text), 'Language of the form, which the organization gets.'),
      password: described(optionalText, 'Password of its owner.'),
      password_again: described(optionalText, 'The password again, to confirm it.'),
    }),
    result: page,
    answers: 'page',
  },
  (visitor, sent) => setUpForm.post(visitor, sent),
)

interface Given {
  token: string
  organization: string
  full_name: string
  email: string
  language?: string | undefined
}

const setUpForm = formPage<Given>({
  title: ({ setUp }) => setUp.title,
  async show(visitor, given) {
    // An expired link shows no form.
    await requireSetUpOwner(visitor, given.token)
    return {
      introduction: ({ setUp }) => `<p>${setUp.intro}</p>\n`,
      fields: (texts) => [
        {
          name: 'organization',
          label: texts.setUp.organization,
          type: 'text',
          autocomplete: 'organization',
          value: given.organization,
        },
        nameField(texts, given.full_name),
        emailField(texts, given.email),
        // The language in which the owner reads this form becomes the organization's.
        ...(texts.language === 'en' ? [] : [{ name: 'language', type: 'hidden', value: texts.language } as const]),
      ],
      passwords: ({ common }) => [common.password, common.confirmPassword],
      button: ({ setUp }) => setUp.action,
    }
  },
  async accept(visitor, given) {
    const { organization, email } = await setUp(visitor, given)
    return ready(visitor, organization, email, given.password)
  },
})

function ready({ chat }: Context, organization: string, username: string, password: string): Page {
  const name = escapeText(username)
  const next = ({ common, setUp }: FormTexts) => `${setUp.printed}</p>
<p><a href="${servedPath(chat, '/')}">${common.continueTo(escapeText(organization))}</a></p>`
  return {
    status: 200,
    title: ({ setUp }) => setUp.readyTitle(escapeText(organization)),
    body: (texts) => `<p>${texts.setUp.signIn(name)} ${next(texts)}`,
    signIn: { username, password, body: (texts) => `<p>${texts.setUp.signedIn(name)} ${next(texts)}` },
  }
}
