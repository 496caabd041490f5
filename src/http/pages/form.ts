import { MIN_PASSWORD_LENGTH } from '../../core/kernel/base/limits.ts'
import type { Context } from '../../core/kernel/context.ts'
import { isChatError } from '../../core/kernel/errors.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import type { User } from '../../core/kernel/user.ts'
import { tag } from '../../core/markup/html.ts'
import type { FormTexts } from '../page-texts/en.ts'
import { statusOf } from '../responses.ts'
import { type Page, type Words, wordsIn } from '../serve/page.ts'
import { passwordMeter } from './password-meter.ts'
import { wordsFor } from './refusal.ts'

type Field = VisibleField | { name: string; type: 'hidden'; value: string }

interface VisibleField {
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
  /** The meter's words, as JSON. */
  'data-words'?: string
}

const newPassword = (name: string, label: string, known: KnownPerson = {}): VisibleField & KnownPerson => ({
  ...known,
  name,
  label,
  type: 'password',
  autocomplete: 'new-password',
  minlength: MIN_PASSWORD_LENGTH,
})

/**
 * Renders a form of required fields, below the HTML of an error. It is sent to the page's own address, which contains the
 * token.
 */
export const form = (problem: string | undefined, fields: readonly Field[], button: string): string =>
  `${problem === undefined ? '' : `<p role="alert">${problem}</p>\n`}<form method="post">
${fields.map(fieldHtml).join('\n')}
<button>${button}</button>
</form>`

function fieldHtml(field: Field): string {
  if (field.type === 'hidden') return tag('input', { ...field })
  const { label, ...attributes } = field
  return `<label>${label}${tag('input', { ...attributes, required: '' })}</label>`
}

/** A page with a form for people with a token in its address. The last two fields are a new password, typed twice. */
interface FormPage<Given extends { token: string }> {
  /** Title of the page that explains why there is no form. */
  title: Words
  /** Returns the form, filled in with the given values. */
  show(
    visitor: Context,
    given: Given,
  ): Promise<{
    title?: Words
    reader?: User | undefined
    /** HTML above the form. */
    introduction: Words
    fields(texts: FormTexts): readonly Field[]
    /** Address and names that the form has no fields for, which the password must not consist of. */
    known?: { email?: string | null; full_name?: string; organization?: string }
    /** Labels of the two password fields, which come last. */
    passwords(texts: FormTexts): readonly [first: string, again: string]
    button: Words
  }>
  /** Performs what the form asks for, and returns the next page. A BAD_REQUEST shows the form again. */
  accept(visitor: Context, given: Given & { password: string }): Promise<Page>
}

/** Returns what the GET and the POST of such a page do. */
export function formPage<Given extends { token: string }>({ title, show, accept }: FormPage<Given>) {
  const withForm = async (visitor: Context, given: Given, problem?: Words): Promise<Page> => {
    const { introduction, fields, known = {}, passwords, button, ...shown } = await show(visitor, given)
    const script = passwordMeter(visitor.chat)
    const body = (texts: FormTexts) => {
      const [first, again] = passwords(texts)
      const about = {
        ...(known.email && { 'data-email': known.email }),
        ...(known.full_name && { 'data-full_name': known.full_name }),
        ...(known.organization && { 'data-organization': known.organization }),
        ...(script && texts.language !== 'en' && { 'data-words': JSON.stringify(texts.passwordStrength) }),
      }
      const all = [...fields(texts), newPassword('password', first, about), newPassword('password_again', again)]
      const said = problem === undefined ? undefined : wordsIn(texts, problem)
      return `${wordsIn(texts, introduction)}${form(said, all, wordsIn(texts, button))}`
    }
    return { status: problem === undefined ? 200 : 400, title, ...(script && { script }), ...shown, body }
  }
  return {
    get: (visitor: Context, given: Given): Promise<Page> => orRefusal(visitor, title, () => withForm(visitor, given)),
    post: (visitor: Context, sent: Given & { password: string; password_again: string }): Promise<Page> =>
      orRefusal(visitor, title, async () => {
        if (sent.password !== sent.password_again) {
          return withForm(visitor, sent, (texts) => texts.refusals.passwordsDiffer)
        }
        try {
          return await accept(visitor, sent)
        } catch (error) {
          if (isChatError(error) && ['BAD_REQUEST', 'TERMS_NOT_ACCEPTED'].includes(error.code))
            return withForm(visitor, sent, wordsFor(error))
          throw error
        }
      }),
  }
}

/** Shows an error as a page, for people who may have used the link before and only want to sign in. */
export async function orRefusal({ chat }: Context, title: Words, answer: () => Promise<Page>): Promise<Page> {
  try {
    return await answer()
  } catch (error) {
    if (!isChatError(error)) throw error
    const body = (texts: FormTexts) =>
      `<p role="alert">${wordsIn(texts, wordsFor(error))}</p>
<p>${withLink(texts.common.haveAccount, servedPath(chat, '/'))}</p>`
    return { status: statusOf[error.kind], title, body }
  }
}

/** Returns a text with the address of its link. */
export const withLink = (text: string, href: string): string =>
  text.replace('<link>', () => tag('a', { href })).replace('</link>', '</a>')
