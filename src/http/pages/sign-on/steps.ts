import * as v from 'valibot'
import { signOnFailed } from '../../../core/accounts/providers/failed.ts'
import { browserName } from '../../../core/accounts/sessions.ts'
import {
  allowApp,
  askForApp,
  type Browser,
  continueWithCode,
  continueWithPassword,
  redeemDesktopToken,
} from '../../../core/accounts/sign-on/sign-in.ts'
import { publicAction } from '../../../core/kernel/action.ts'
import { MAX_EMAIL_LENGTH } from '../../../core/kernel/base/limits.ts'
import type { Context } from '../../../core/kernel/context.ts'
import { isChatError } from '../../../core/kernel/errors.ts'
import { described, text } from '../../../core/kernel/fields.ts'
import { escapeText } from '../../../core/markup/html.ts'
import { statusOf } from '../../responses.ts'
import { type Page, page, type Words, wordsIn } from '../../serve/page.ts'
import { form, orRefusal } from '../form.ts'
import { wordsFor } from '../refusal.ts'
import { browserOf } from './browser.ts'
import { pageOf, title } from './shown.ts'
import { browserHeaders, browserParams } from './start.ts'

const optionalText = v.optional(text, '')
const step = described(optionalText, 'The token of the step.')
const shown = { ...browserHeaders, result: page, answers: 'page' } as const
const given = v.object({ step, ...browserParams })

interface Given {
  step: string
  cookie?: string | null | undefined
  user_agent?: string | null | undefined
}

/** Returns the browser of a step. Throws SIGN_ON_FAILED if it has begun no sign-in. */
function here(visitor: Context, headers: Given): Browser {
  const browser = browserOf(visitor, headers)
  if (!browser) throw signOnFailed('attempt_expired')
  return browser
}

/** Shows the form again with the problem, if another try may help. */
async function orAgain(again: (problem: Words) => Page, work: () => Promise<Page>): Promise<Page> {
  try {
    return await work()
  } catch (error) {
    if (!isChatError(error) || error.code === 'SIGN_ON_FAILED') throw error
    return { ...again(wordsFor(error)), status: statusOf[error.kind] }
  }
}

const codeForm = (problem?: Words): Page => ({
  status: 200,
  title: ({ signOn }) => signOn.codeTitle,
  body: (texts) => {
    const field = { name: 'code', label: texts.signOn.code, type: 'text', autocomplete: 'one-time-code' } as const
    return form(problem && wordsIn(texts, problem), [field], texts.common.continue)
  },
})

/** GET /accounts/login/second_factor: asks for the code of an authenticator app. */
export const getSecondFactorPage = publicAction(
  { name: 'getSecondFactorPage', summary: 'Get the page for the second factor', ...shown, params: given },
  (visitor, headers) =>
    orRefusal(visitor, title, async () => {
      here(visitor, headers)
      return codeForm()
    }),
)

/** POST /accounts/login/second_factor: continues the sign-in with the code. */
export const postSecondFactorPage = publicAction(
  {
    name: 'postSecondFactorPage',
    summary: 'Continue with the second factor',
    ...shown,
    params: v.object({ ...given.entries, code: described(optionalText, 'The code.') }),
  },
  (visitor, { code, ...headers }) =>
    orRefusal(visitor, title, () =>
      orAgain(codeForm, async () =>
        pageOf(visitor, await continueWithCode(visitor, headers.step, code, here(visitor, headers))),
      ),
    ),
)

const linkForm = (username: string, problem?: Words): Page => ({
  status: 200,
  title: ({ signOn }) => signOn.linkTitle,
  body: (texts) => {
    const { common, signOn } = texts
    const email = { name: 'username', label: common.email, type: 'email', autocomplete: 'username' } as const
    const password = { name: 'password', label: common.password, type: 'password' } as const
    const fields = [
      { ...email, maxlength: MAX_EMAIL_LENGTH, value: username },
      { ...password, autocomplete: 'current-password' },
    ]
    return `<p>${signOn.linkText}</p>\n${form(problem && wordsIn(texts, problem), fields, signOn.link)}`
  },
})

/** GET /accounts/login/link: asks for the password of the account to link. */
export const getLinkPage = publicAction(
  { name: 'getLinkPage', summary: 'Get the page that links an account to a provider', ...shown, params: given },
  (visitor, headers) =>
    orRefusal(visitor, title, async () => {
      here(visitor, headers)
      return linkForm('')
    }),
)

/** POST /accounts/login/link: links the account whose password is right. */
export const postLinkPage = publicAction(
  {
    name: 'postLinkPage',
    summary: 'Link an account to a provider',
    ...shown,
    params: v.object({
      ...given.entries,
      username: described(optionalText, 'Email address of the account.'),
      password: described(optionalText, 'Password of the account.'),
    }),
  },
  (visitor, { username, password, ...headers }) =>
    orRefusal(visitor, title, () =>
      orAgain(
        (problem) => linkForm(username, problem),
        async () => {
          const browser = here(visitor, headers)
          return pageOf(visitor, await continueWithPassword(visitor, headers.step, { username, password }, browser))
        },
      ),
    ),
)

/** GET /accounts/login/app: asks whether the app that opened this browser may have a key. */
export const getAppPage = publicAction(
  { name: 'getAppPage', summary: 'Get the page that allows an app to sign in', ...shown, params: given },
  (visitor, headers) =>
    orRefusal(visitor, title, async () => {
      const reader = await askForApp(visitor, headers.step, here(visitor, headers).id)
      const name = escapeText(reader.full_name)
      const appTitle: Words = ({ signOn }) => signOn.appTitle(name)
      const body: Words = ({ signOn }) => `<p>${signOn.appText(name)}</p>
${form(undefined, [], signOn.app)}`
      return { status: 200, title: appTitle, body, reader, opensApp: true }
    }),
)

/** POST /accounts/login/app: hands a key to the app. */
export const postAppPage = publicAction(
  { name: 'postAppPage', summary: 'Allow an app to sign in', ...shown, params: given },
  (visitor, headers) =>
    orRefusal(visitor, title, async () => {
      const goTo = await allowApp(visitor, headers.step, here(visitor, headers))
      return { status: 200, title, body: '', goTo, opensApp: true }
    }),
)

/** GET /accounts/login/subdomain/{token}: signs the desktop app in. */
export const getDesktopSignIn = publicAction(
  {
    name: 'getDesktopSignIn',
    summary: 'Sign the desktop app in',
    headers: { site: 'sec-fetch-site', user_agent: 'user-agent' },
    onlyInHeaders: true,
    params: v.object({
      token: described(text, 'The decrypted token.'),
      site: described(v.nullish(text), 'Where the browser says the request comes from.'),
      user_agent: browserParams.user_agent,
    }),
    result: page,
    answers: 'page',
  },
  (visitor, { token, site, user_agent }) =>
    orRefusal(visitor, title, async () => {
      // A link on another page must not sign somebody in to an account that isn't theirs.
      if (site === 'cross-site' || site === 'same-site') throw signOnFailed('attempt_expired')
      return pageOf(visitor, await redeemDesktopToken(visitor, token, browserName(user_agent ?? '')))
    }),
)
