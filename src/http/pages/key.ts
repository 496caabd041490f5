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
import { statusOf } from '../responses.ts'
import { type Page, page } from '../serve/page.ts'
import { form, orRefusal } from './form.ts'

/** The page that makes a key for a program. Settings link to it. */
export const KEY_PATH = '/accounts/key'

const title = 'Create an API key'
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
        return ready(zuliprc(caller, await createConfirmedKey(caller, name, password)))
      } catch (error) {
        if (!isChatError(error)) throw error
        const problem = error.message.replace(/\.?$/, '.')
        return { ...(await asking(caller, name, problem)), status: statusOf[error.kind] }
      }
    }),
)

async function asking(caller: Caller, name: string, problem?: string): Promise<Page> {
  const page = (body: string, about = title): Page => ({ status: 200, title: about, body })
  if (isSpectator(caller.user)) {
    const home = `<p><a href="${servedPath(caller.chat, '/')}">Sign in with a password</a>, and open this page again.</p>`
    return page(`${await providerLinks(caller)}\n${home}`, 'Sign in to create an API key')
  }
  const field = { name: 'name', label: 'Name of the program', type: 'text', autocomplete: 'off', value: name } as const
  const fields = [{ ...field, maxlength: MAX_NAME_LENGTH }]
  const introduction = `<p>Programs such as zulip-terminal sign in with a key. You are signed in as ${escapeText(caller.user.full_name)}.</p>`
  if (await isConfirmed(caller)) return page(`${introduction}\n${form(problem, fields, 'Create key')}`)
  const links = await providerLinks(caller)
  const confirm = `<p>Confirm that it's you, because a key works until you revoke it.</p>`
  if (!(await mayUsePassword(caller))) {
    const nothing = '<p role="alert">Sign out, sign in again, and open this page within five minutes.</p>'
    return page(`${introduction}\n${confirm}\n${links || nothing}`)
  }
  const password = { name: 'password', label: 'Password', type: 'password', autocomplete: 'current-password' } as const
  const factor = '<p>If you have a second factor, type the code after the password.</p>'
  return page(`${introduction}\n${confirm}\n${links}\n${factor}\n${form(problem, [...fields, password], 'Create key')}`)
}

/** Links that sign in again, and come back to this page. */
async function providerLinks(caller: Caller): Promise<string> {
  const { external_authentication_methods: methods } = await getServerSettings(caller)
  const next = encodeURIComponent(KEY_PATH)
  return methods
    .map(
      ({ login_url, display_name }) =>
        `<p><a href="${escapeText(`${login_url}?next=${next}`)}">Sign in with ${escapeText(display_name)}</a></p>`,
    )
    .join('\n')
}

function ready(file: string): Page {
  // Browsers add an extension to a file of text.
  const download = { download: 'zuliprc', href: `data:application/octet-stream,${encodeURIComponent(file)}` }
  const body = `<p>Save this text as <code>zuliprc</code>. Any program with it can act as you. You won't be able to see the key again.
Revoke it in the settings, under your sessions and API keys.</p>
<pre><code>${escapeText(file)}</code></pre>
<p>${tag('a', download)}Download zuliprc</a></p>`
  return { status: 200, title: 'Your new API key', body }
}
