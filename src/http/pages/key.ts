import * as v from 'valibot'
import { createConfirmedKey, isConfirmed, mayUsePassword, zuliprc } from '../../core/accounts/key-page.ts'
import { action } from '../../core/kernel/action.ts'
import type { Caller } from '../../core/kernel/context.ts'
import { isChatError } from '../../core/kernel/errors.ts'
import { described, none, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { isSpectator } from '../../core/kernel/spectator.ts'
import { escapeText, tag } from '../../core/markup/html.ts'
import { getServerSettings } from '../../core/organization/server-settings.ts'
import type { FormTexts } from '../page-texts/en.ts'
import { statusOf } from '../responses.ts'
import { type Page, page, type Words, wordsIn } from '../serve/page.ts'
import { form, orRefusal, withLink } from './form.ts'
import { wordsFor } from './refusal.ts'

/** The page that makes a key for a program. Settings link to it. */
export const KEY_PATH = '/accounts/key'

const title: Words = ({ key }) => key.title
const DEFAULT_NAME = 'Terminal'
const MAX_NAME_LENGTH = 60

const shown = { result: page, answers: 'page', credentials: 'page', spectators: async () => {} } as const

/** GET /accounts/key: asks for the name of a new key, and for a confirmation if the sign-in is older than five minutes. */
export const getKeyPage = action(
  { name: 'getKeyPage', summary: 'Get the page that creates an API key', ...shown, params: none },
  (caller) => orRefusal(caller, title, () => asking(caller, DEFAULT_NAME)),
)

/** POST /accounts/key: creates a key, and shows it once. */
export const postKeyPage = action(
  {
    name: 'postKeyPage',
    summary: 'Create an API key by the page',
    ...shown,
    params: v.object({
      name: described(v.optional(text, ''), 'The program that the key is for.'),
      password: described(v.optional(text, ''), 'The password, unless the sign-in is fresh.'),
    }),
  },
  (caller, { name: typed, password }) =>
    orRefusal(caller, title, async () => {
      if (isSpectator(caller.user)) return asking(caller, DEFAULT_NAME)
      const name = [...(typed.trim() || DEFAULT_NAME)].slice(0, MAX_NAME_LENGTH).join('')
      try {
        return ready(caller, zuliprc(caller, await createConfirmedKey(caller, name, password)))
      } catch (error) {
        if (!isChatError(error)) throw error
        return { ...(await asking(caller, name, wordsFor(error))), status: statusOf[error.kind] }
      }
    }),
)

async function asking(caller: Caller, name: string, problem?: Words): Promise<Page> {
  const methods = await signInLinks(caller)
  const providers = (texts: FormTexts): string =>
    methods
      .map(({ href, name }) => `<p>${tag('a', { href })}${texts.common.signInWith(escapeText(name))}</a></p>`)
      .join('\n')
  if (isSpectator(caller.user)) {
    const body: Words = (texts) =>
      `${providers(texts)}\n<p>${withLink(texts.key.signInFirst, servedPath(caller.chat, '/'))}</p>`
    return { status: 200, title: ({ key }) => key.signInTitle, body }
  }
  const isFresh = await isConfirmed(caller)
  const usesPassword = isFresh || (await mayUsePassword(caller))
  const body: Words = (texts) => {
    const { common, key } = texts
    const introduction = `<p>${key.intro(escapeText(caller.user.full_name))}</p>`
    const said = problem === undefined ? undefined : wordsIn(texts, problem)
    const field = { name: 'name', label: key.name, type: 'text', autocomplete: 'off', value: name } as const
    const fields = [{ ...field, maxlength: MAX_NAME_LENGTH }]
    if (isFresh) return `${introduction}\n${form(said, fields, key.action)}`
    const confirm = `<p>${key.confirm}</p>`
    const links = providers(texts)
    if (!usesPassword) {
      return `${introduction}\n${confirm}\n${links || `<p role="alert">${key.signInAgain}</p>`}`
    }
    const password = { name: 'password', label: common.password, type: 'password' } as const
    const all = [...fields, { ...password, autocomplete: 'current-password' }]
    return `${introduction}\n${confirm}\n${links}\n<p>${key.code}</p>\n${form(said, all, key.action)}`
  }
  return { status: 200, title, body, reader: caller.user }
}

/** Where providers sign in again, and come back to this page. */
async function signInLinks(caller: Caller): Promise<{ href: string; name: string }[]> {
  const { external_authentication_methods: methods } = await getServerSettings(caller)
  const next = encodeURIComponent(KEY_PATH)
  return methods.map(({ login_url, display_name }) => ({ href: `${login_url}?next=${next}`, name: display_name }))
}

function ready({ user }: Caller, file: string): Page {
  // Browsers add an extension to a file of text.
  const download = { download: 'zuliprc', href: `data:application/octet-stream,${encodeURIComponent(file)}` }
  const body: Words = ({ key }) => `<p>${key.ready}</p>
<pre><code>${escapeText(file)}</code></pre>
<p>${tag('a', download)}${key.download}</a></p>`
  return { status: 200, title: ({ key }) => key.readyTitle, body, reader: user }
}
