import * as v from 'valibot'
import { acceptTerms, type Terms, termsDue } from '../../core/accounts/terms.ts'
import { action } from '../../core/kernel/action.ts'
import type { Caller } from '../../core/kernel/context.ts'
import { described, none, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { isSpectator } from '../../core/kernel/spectator.ts'
import { type Page, page } from '../serve/page.ts'
import { form, orRefusal } from './form.ts'

/** Where people accept terms that are new to them. The web client leads there. */
export const TERMS_PATH = '/accounts/terms'

const title = 'Terms'

const shown = { result: page, answers: 'page', credentials: 'page', spectators: async () => {} } as const

/** GET /accounts/terms: shows the terms that the signed-in account has yet to accept. */
export const getTermsPage = action(
  { name: 'getTermsPage', summary: 'Get the page to accept the terms', ...shown, params: none },
  (caller) => orRefusal(caller, title, () => asking(caller)),
)

/** POST /accounts/terms: accepts them, and leads to the web client. */
export const postTermsPage = action(
  {
    name: 'postTermsPage',
    summary: 'Accept the terms through the page',
    ...shown,
    params: v.object({ terms: described(v.optional(text, ''), 'The version that was shown.') }),
  },
  (caller, { terms }) =>
    orRefusal(caller, title, async () => {
      if (isSpectator(caller.user)) return done(caller)
      const due = await termsDue(caller)
      // They may have changed while somebody read them.
      if (due && String(due.version) !== terms) return asking(caller)
      if (due) await acceptTerms(caller, { version: due.version })
      return done(caller)
    }),
)

async function asking(caller: Caller): Promise<Page> {
  const due = isSpectator(caller.user) ? undefined : await termsDue(caller)
  if (!due) return done(caller)
  return { status: 200, title, body: `${termsHtml(due)}\n${form(undefined, [checkbox(due)], 'Continue')}` }
}

const done = ({ chat }: Caller): Page => ({ status: 302, title, body: '', goTo: servedPath(chat, '/') })

/** The terms, for a page without script. */
export const termsHtml = ({ rendered_content }: Terms): string => `<section>${rendered_content}</section>`

/** The field that accepts them. */
export const checkbox = ({ version }: Terms) =>
  ({
    name: 'terms',
    label: 'I accept these terms',
    type: 'checkbox',
    autocomplete: 'off',
    value: `${version}`,
  }) as const
