import { MIN_PASSWORD_LENGTH } from '../../core/kernel/base/limits.ts'
import type { Context } from '../../core/kernel/context.ts'
import { isChatError } from '../../core/kernel/errors.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { escapeText, tag } from '../../core/markup/html.ts'
import { statusOf } from '../responses.ts'
import type { Page } from '../serve/page.ts'
import { passwordMeter } from './password-meter.ts'

interface Field {
  name: string
  label: string
  type: 'text' | 'email' | 'password' | 'checkbox'
  /** The browser's name for the field. */
  autocomplete: string
  /** Fewest and most characters. */
  minlength?: number
  maxlength?: number
  value?: string
}

/** What the meter of a new password needs, unless the form has a field for it. */
interface KnownPerson {
  'data-email'?: string
  'data-full_name'?: string
  'data-organization'?: string
}

const newPassword = (name: string, label: string, known: KnownPerson = {}): Field & KnownPerson => ({
  ...known,
  name,
  label,
  type: 'password',
  autocomplete: 'new-password',
  minlength: MIN_PASSWORD_LENGTH,
})

/**
 * Renders a form of required fields, below an error message. It is sent to the page's own address, which contains the
 * token.
 */
export const form = (problem: string | undefined, fields: readonly Field[], button: string): string =>
  `${problem === undefined ? '' : `<p role="alert">${escapeText(problem)}</p>\n`}<form method="post">
${fields.map(fieldHtml).join('\n')}
<button>${button}</button>
</form>`

const fieldHtml = ({ label, ...attributes }: Field): string =>
  `<label>${label}${tag('input', { ...attributes, required: '' })}</label>`

/** A page with a form for people with a token in its address. The last two fields are a new password, typed twice. */
interface FormPage<Given extends { token: string }> {
  /** Title of the page that explains why there is no form. */
  title: string
  /** Returns the form, filled in with the given values. */
  show(
    visitor: Context,
    given: Given,
  ): Promise<{
    title?: string
    /** HTML above the form. */
    introduction: string
    fields: readonly Field[]
    /** Address and names that the form has no fields for, which the password must not consist of. */
    known?: { email?: string | null; full_name?: string; organization?: string }
    /** Labels of the two password fields, which come last. */
    passwords: readonly [first: string, again: string]
    button: string
  }>
  /** Performs what the form asks for, and returns the next page. A BAD_REQUEST shows the form again. */
  accept(visitor: Context, given: Given & { password: string }): Promise<Page>
}

/** Returns what the GET and the POST of such a page do. */
export function formPage<Given extends { token: string }>({ title, show, accept }: FormPage<Given>) {
  const withForm = async (visitor: Context, given: Given, problem?: string): Promise<Page> => {
    const { introduction, fields, known = {}, passwords, button, ...shown } = await show(visitor, given)
    const first = newPassword('password', passwords[0], {
      ...(known.email && { 'data-email': known.email }),
      ...(known.full_name && { 'data-full_name': known.full_name }),
      ...(known.organization && { 'data-organization': known.organization }),
    })
    const all = [...fields, first, newPassword('password_again', passwords[1])]
    const script = passwordMeter(visitor.chat)
    const body = `${introduction}${form(problem, all, button)}`
    return { status: problem === undefined ? 200 : 400, title, ...(script && { script }), ...shown, body }
  }
  return {
    get: (visitor: Context, given: Given): Promise<Page> => orRefusal(visitor, title, () => withForm(visitor, given)),
    post: (visitor: Context, sent: Given & { password: string; password_again: string }): Promise<Page> =>
      orRefusal(visitor, title, async () => {
        if (sent.password !== sent.password_again) return withForm(visitor, sent, "The passwords don't match.")
        try {
          return await accept(visitor, sent)
        } catch (error) {
          if (isChatError(error) && ['BAD_REQUEST', 'TERMS_NOT_ACCEPTED'].includes(error.code))
            return withForm(visitor, sent, error.message)
          throw error
        }
      }),
  }
}

/** Shows an error as a page, for people who may have used the link before and only want to sign in. */
export async function orRefusal({ chat }: Context, title: string, answer: () => Promise<Page>): Promise<Page> {
  try {
    return await answer()
  } catch (error) {
    if (!isChatError(error)) throw error
    const body = `<p role="alert">${escapeText(error.message)}.</p>
<p>Already have an account? <a href="${servedPath(chat, '/')}">Sign in</a></p>`
    return { status: statusOf[error.kind], title, body }
  }
}
