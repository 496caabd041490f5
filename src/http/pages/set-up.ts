import * as v from 'valibot'
import { publicAction } from '../../core/kernel/action.ts'
import { MAX_EMAIL_LENGTH, MAX_FULL_NAME_LENGTH } from '../../core/kernel/base/limits.ts'
import type { Context } from '../../core/kernel/context.ts'
import { isChatError } from '../../core/kernel/errors.ts'
import { described, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { type Page, page } from '../../core/kernel/transport.ts'
import { escapeText } from '../../core/markup/html.ts'
import { requireSetUpOwner, setUp } from '../../core/organization/set-up.ts'
import { form, newPassword, orRefusal, PASSWORDS_DIFFER } from './form.ts'

const optionalText = v.optional(text, '')
const token = described(optionalText, 'The token of the link.')
const title = 'Set up your chat'

/** GET /set-up: the form behind the link that the first start prints. */
export const getSetUpPage = publicAction(
  {
    name: 'getSetUpPage',
    summary: 'Get the page that sets a new organization up',
    params: v.object({ token }),
    result: page,
    answers: 'page',
  },
  (visitor, { token }) =>
    orRefusal(visitor, title, () => pageWithForm(visitor, { token, organization: '', full_name: '', email: '' })),
)

/** POST of that form: the organization and its owner have the names given. */
export const postSetUpPage = publicAction(
  {
    name: 'postSetUpPage',
    summary: 'Set a new organization up by the page',
    params: v.object({
      token,
      organization: described(optionalText, 'Name of the organization.'),
      full_name: described(optionalText, 'Full name of its owner.'),
      email: described(optionalText, 'E-mail address of its owner.'),
      password: described(optionalText, 'Password of its owner.'),
      password_again: described(optionalText, 'The same once more.'),
    }),
    result: page,
    answers: 'page',
  },
  (visitor, { password_again, ...fields }) =>
    orRefusal(visitor, title, async () => {
      if (fields.password !== password_again) return pageWithForm(visitor, fields, PASSWORDS_DIFFER)
      try {
        const { organization, email } = await setUp(visitor, fields)
        return ready(visitor, organization, email, fields.password)
      } catch (error) {
        if (isChatError(error) && error.code === 'BAD_REQUEST') return pageWithForm(visitor, fields, error.message)
        throw error
      }
    }),
)

interface Given {
  token: string
  organization: string
  full_name: string
  email: string
}

async function pageWithForm(visitor: Context, given: Given, problem?: string): Promise<Page> {
  // A link that has ended shows no form.
  await requireSetUpOwner(visitor, given.token)
  const fields = [
    {
      name: 'organization',
      label: 'Name of the organization',
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
      label: 'Your e-mail address',
      type: 'email',
      autocomplete: 'email',
      maxlength: MAX_EMAIL_LENGTH,
      value: given.email,
    },
    newPassword('password', 'Password'),
    newPassword('password_again', 'Password once more'),
  ] as const
  const body = `<p>You are its first owner. All of this can be changed later, in the settings.</p>
${form(problem, fields, 'Set up')}`
  return { status: problem === undefined ? 200 : 400, title, body }
}

function ready({ chat }: Context, organization: string, username: string, password: string): Page {
  const next = `What was printed at the first start is no longer valid.</p>
<p><a href="${servedPath(chat, '/')}">Continue to ${escapeText(organization)}</a></p>`
  const name = escapeText(username)
  return {
    status: 200,
    title: `${escapeText(organization)} is ready`,
    body: `<p>Sign in as ${name} with the password you chose. ${next}`,
    signIn: { username, password, body: `<p>You are signed in as ${name}. ${next}` },
  }
}
