import * as v from 'valibot'
import { acceptTerms, type Terms, termsDue } from '../../core/accounts/terms.ts'
import { action } from '../../core/kernel/action.ts'
import type { Caller } from '../../core/kernel/context.ts'
import { described, none, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { isSpectator } from '../../core/kernel/spectator.ts'
import type { FormTexts } from '../page-texts/en.ts'
import { type Page, page, type Words } from '../serve/page.ts'
import { form, orRefusal } from './form.ts'

/** Where people accept terms that are new to them. The web client leads there. */
export const TERMS_PATH = '/accounts/terms'

const title: Words = ({ terms }) => terms.title

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
      const due = await dueFor(caller)
      // They may have changed in the meantime.
      if (String(due?.version) !== terms) return asking(caller)
      await acceptTerms(caller, Number(terms))
      return { status: 302, title, body: '', goTo: servedPath(caller.chat, '/') }
    }),
)

const dueFor = async (caller: Caller) => (isSpectator(caller.user) ? undefined : termsDue(caller))

async function asking(caller: Caller): Promise<Page> {
  const due = await dueFor(caller)
  const body: Words = (texts) =>
    due
      ? `${termsHtml(due)}\n${form(undefined, [checkbox(due, texts)], texts.common.continue)}`
      : `<p>${texts.terms.nothing}</p>\n<p><a href="${servedPath(caller.chat, '/')}">${texts.common.continue}</a></p>`
  return { status: 200, title, body, ...(!isSpectator(caller.user) && { reader: caller.user }) }
}

/** The terms, for a page without script. */
export const termsHtml = ({ rendered_content }: Terms): string => `<section dir="auto">${rendered_content}</section>`

/** The field that accepts them. */
export const checkbox = ({ version }: Terms, { terms }: FormTexts) =>
  ({
    name: 'terms',
    label: terms.accept,
    type: 'checkbox',
    autocomplete: 'off',
    value: `${version}`,
  }) as const
