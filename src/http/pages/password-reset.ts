import * as v from 'valibot'
import { requestPasswordReset } from '../../core/accounts/password-reset.ts'
import { publicAction } from '../../core/kernel/action.ts'
import { MAX_EMAIL_LENGTH } from '../../core/kernel/base/limits.ts'
import type { Context } from '../../core/kernel/context.ts'
import { isChatError } from '../../core/kernel/errors.ts'
import { described, none, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { requireMail } from '../../core/mail/mail-service.ts'
import { escapeText } from '../../core/markup/html.ts'
import type { FormTexts } from '../page-texts/en.ts'
import { type Page, page, type Words, wordsIn } from '../serve/page.ts'
import { form, orRefusal } from './form.ts'
import { wordsFor } from './refusal.ts'

const title: Words = ({ passwordReset }) => passwordReset.title

/** GET /accounts/password/reset: asks for the address of an account. */
export const getPasswordResetPage = publicAction(
  {
    name: 'getPasswordResetPage',
    summary: 'Get the page that asks for a new password',
    params: none,
    result: page,
    answers: 'page',
  },
  (visitor) =>
    orRefusal(visitor, title, async () => {
      await requireMail(visitor)
      return asking(visitor, '')
    }),
)

/** POST /accounts/password/reset: emails a link, if the account exists. The page is always the same. */
export const postPasswordResetPage = publicAction(
  {
    name: 'postPasswordResetPage',
    summary: 'Ask for a new password by the page',
    params: v.object({ email: described(v.optional(text, ''), 'Email address of the account.') }),
    result: page,
    answers: 'page',
    limit: 'mail',
  },
  (visitor, { email: typed }) =>
    orRefusal(visitor, title, async () => {
      const email = typed.trim()
      try {
        await requestPasswordReset(visitor, { email })
      } catch (error) {
        if (isChatError(error) && error.code === 'BAD_REQUEST') return asking(visitor, email, wordsFor(error))
        throw error
      }
      // Whether the account exists, and its language, stay secret.
      const body: Words = (texts) => `<p>${texts.passwordReset.sent(escapeText(email))}</p>
<p>${texts.passwordReset.nothingArrived}</p>
${back(visitor, texts)}`
      return { status: 200, title: ({ passwordReset }) => passwordReset.sentTitle, body }
    }),
)

const back = ({ chat }: Context, { passwordReset }: FormTexts): string =>
  `<p><a href="${servedPath(chat, '/')}">${passwordReset.back}</a></p>`

function asking(visitor: Context, value: string, problem?: Words): Page {
  const body: Words = (texts) => {
    const field = { name: 'email', label: texts.common.email, type: 'email', autocomplete: 'username', value } as const
    const said = problem === undefined ? undefined : wordsIn(texts, problem)
    return `<p>${texts.passwordReset.intro}</p>
${form(said, [{ ...field, maxlength: MAX_EMAIL_LENGTH }], texts.passwordReset.action)}
${back(visitor, texts)}`
  }
  return { status: problem === undefined ? 200 : 400, title, body }
}
