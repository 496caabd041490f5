import * as v from 'valibot'
import { publicAction } from '../../core/kernel/action.ts'
import { MAX_EMAIL_LENGTH, MAX_FULL_NAME_LENGTH } from '../../core/kernel/base/limits.ts'
import type { Context } from '../../core/kernel/context.ts'
import { described, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { escapeText } from '../../core/markup/html.ts'
import { requireSetUpOwner, setUp } from '../../core/organization/set-up.ts'
import { type Page, page } from '../serve/page.ts'
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
}

const setUpForm = formPage<Given>({
  title: 'Set up your organization',
  async show(visitor, given) {
    // An expired link shows no form.
    await requireSetUpOwner(visitor, given.token)
    return {
      introduction: "<p>You'll be the first owner. You can change all of this later in the settings.</p>\n",
      fields: [
        {
          name: 'organization',
          label: 'Organization name',
          type: 'text',
          autocomplete: 'organization',
          value: given.organization,
        },
        {
          name: 'full_name',
          label: 'Your name',
          type: 'text',
          autocomplete: 'name',
          maxlength: MAX_FULL_NAME_LENGTH,
          value: given.full_name,
        },
        {
          name: 'email',
          label: 'Email',
          type: 'email',
          autocomplete: 'email',
          maxlength: MAX_EMAIL_LENGTH,
          value: given.email,
        },
      ],
      passwords: ['Password', 'Confirm password'],
      button: 'Set up',
    }
  },
  async accept(visitor, given) {
    const { organization, email } = await setUp(visitor, given)
    return ready(visitor, organization, email, given.password)
  },
})

function ready({ chat }: Context, organization: string, username: string, password: string): Page {
  const next = `The password and API key printed at first start no longer work.</p>
<p><a href="${servedPath(chat, '/')}">Continue to ${escapeText(organization)}</a></p>`
  const name = escapeText(username)
  return {
    status: 200,
    title: `${escapeText(organization)} is ready`,
    body: `<p>Sign in as ${name} with the password you chose. ${next}`,
    signIn: { username, password, body: `<p>You are signed in as ${name}. ${next}` },
  }
}
