import * as v from 'valibot'
import { signOnFailed } from '../../../core/accounts/providers/failed.ts'
import { completeSetUp, secretToSetUp } from '../../../core/accounts/set-up-second-factor.ts'
import { publicAction } from '../../../core/kernel/action.ts'
import type { Context } from '../../../core/kernel/context.ts'
import { isChatError } from '../../../core/kernel/errors.ts'
import { described, text } from '../../../core/kernel/fields.ts'
import { servedPath } from '../../../core/kernel/public-url.ts'
import { escapeText, tag } from '../../../core/markup/html.ts'
import { statusOf } from '../../responses.ts'
import { type Page, page, type Words, wordsIn } from '../../serve/page.ts'
import { form, orRefusal } from '../form.ts'
import { wordsFor } from '../refusal.ts'
import { qrCode } from './qr-code.ts'

const title: Words = ({ signOn }) => signOn.setUpTitle
const step = described(v.optional(text, ''), 'The ticket of the sign-in.')

async function asking(visitor: Context, ticket: string, problem?: Words): Promise<Page> {
  const { secret, uri } = await secretToSetUp(visitor, ticket)
  const spaced = secret.match(/.{1,4}/g)!.join(' ')
  const draw = await qrCode(uri)
  const body: Words = (texts) => {
    const { common, signOn } = texts
    const field = { name: 'code', label: signOn.appCode, type: 'text', autocomplete: 'one-time-code' } as const
    const said = problem === undefined ? undefined : wordsIn(texts, problem)
    return `<p>${signOn.setUpText}</p>
<p>${draw(signOn.qrCode)}</p>
<p><code>${escapeText(spaced)}</code></p>
<p>${tag('a', { href: uri })}${signOn.openApp}</a></p>
${form(said, [field], common.continue)}`
  }
  return { status: problem === undefined ? 200 : 401, title, body }
}

/** GET /accounts/login/set_up: shows the key for an authenticator app. */
export const getSetUpFactorPage = publicAction(
  {
    name: 'getSetUpFactorPage',
    summary: 'Get the page that sets up a required second factor',
    params: v.object({ step }),
    result: page,
    answers: 'page',
  },
  (visitor, { step }) => orRefusal(visitor, title, () => asking(visitor, step)),
)

/** POST /accounts/login/set_up: confirms the app with a code, signs in, and shows the recovery codes. */
export const postSetUpFactorPage = publicAction(
  {
    name: 'postSetUpFactorPage',
    summary: 'Set up a required second factor',
    headers: { site: 'sec-fetch-site' },
    onlyInHeaders: true,
    params: v.object({
      step,
      code: described(v.optional(text, ''), 'A code of the app.'),
      site: described(v.nullish(text), 'Where the browser says the request comes from.'),
    }),
    result: page,
    answers: 'page',
  },
  (visitor, { step, code, site }) =>
    orRefusal(visitor, title, async () => {
      // A form on another page must not sign somebody in to an account that isn't theirs.
      if (site === 'cross-site' || site === 'same-site') throw signOnFailed('attempt_expired')
      try {
        const { api_key, recovery_codes } = await completeSetUp(visitor, step, code)
        const codes = recovery_codes.map((one) => `<code>${one}</code>`).join('<br>')
        const body: Words = ({ common, signOn }) => `<p>${signOn.codes}</p>
<p>${codes}</p>
<p><a class="button" href="${servedPath(visitor.chat, '/')}">${common.continue}</a></p>`
        return { status: 200, title: ({ signOn }) => signOn.codesTitle, body, session: { api_key } }
      } catch (error) {
        if (!isChatError(error) || error.code !== 'AUTHENTICATION_FAILED') throw error
        return { ...(await asking(visitor, step, wordsFor(error))), status: statusOf[error.kind] }
      }
    }),
)
