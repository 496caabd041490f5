import { MIN_PASSWORD_LENGTH } from '../../core/kernel/base/limits.ts'
import type { Context } from '../../core/kernel/context.ts'
import { isChatError } from '../../core/kernel/errors.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import type { Page } from '../../core/kernel/transport.ts'
import { escapeText, tag } from '../../core/markup/html.ts'
import { statusOf } from '../responses.ts'

export const PASSWORDS_DIFFER = 'The two passwords are not the same.'

interface Field {
  name: string
  label: string
  type: 'text' | 'email' | 'password'
  /** What browsers know it by. */
  autocomplete: string
  /** Fewest and most characters. */
  minlength?: number
  maxlength?: number
  value?: string
}

export const newPassword = (name: string, label: string): Field => ({
  name,
  label,
  type: 'password',
  autocomplete: 'new-password',
  minlength: MIN_PASSWORD_LENGTH,
})

/** A form of fields that all must be filled in, below what was wrong with it. It is sent to its page's address, which has the token. */
export const form = (problem: string | undefined, fields: readonly Field[], button: string): string =>
  `${problem === undefined ? '' : `<p role="alert">${escapeText(problem)}</p>\n`}<form method="post">
${fields.map(fieldHtml).join('\n')}
<button>${button}</button>
</form>`

const fieldHtml = ({ label, ...attributes }: Field): string =>
  `<label>${label}${tag('input', { ...attributes, required: '' })}</label>`

/** A refusal as a page, for a browser shows it to somebody, who may have used the link before and only wants in. */
export async function orRefusal({ chat }: Context, title: string, answer: () => Promise<Page>): Promise<Page> {
  try {
    return await answer()
  } catch (error) {
    if (!isChatError(error)) throw error
    const body = `<p role="alert">${escapeText(error.message)}.</p>
<p>Do you have an account? <a href="${servedPath(chat, '/')}">Sign in</a></p>`
    return { status: statusOf[error.kind], title, body }
  }
}
