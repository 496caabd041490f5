import * as v from 'valibot'
import { subscriberOf, unsubscribe } from '../../core/accounts/unsubscribe.ts'
import { publicAction } from '../../core/kernel/action.ts'
import { described, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { escapeText } from '../../core/markup/html.ts'
import { page } from '../serve/page.ts'
import { form, orRefusal } from './form.ts'

const common = {
  params: v.object({ token: described(text, 'The token of the link.') }),
  result: page,
  answers: 'page',
} as const
const title = 'Stop emails about missed messages'

/** GET /accounts/unsubscribe/missed_messages/{token}: shows the button, because mail servers open links. */
export const getUnsubscribePage = publicAction(
  { name: 'getUnsubscribePage', summary: 'Get the page that stops emails about missed messages', ...common },
  (visitor, { token }) =>
    orRefusal(visitor, title, async () => {
      const { delivery_email } = await subscriberOf(visitor, token)
      const about = `<p>${escapeText(delivery_email)} gets no more emails about missed messages.</p>\n`
      return { status: 200, title, body: about + form(undefined, [], 'Stop these emails') }
    }),
)

/**
 * POST /accounts/unsubscribe/missed_messages/{token}: stops the emails. Mail programs send it too (RFC 8058), without a
 * cookie and without another question.
 */
export const postUnsubscribePage = publicAction(
  { name: 'postUnsubscribePage', summary: 'Stop emails about missed messages', ...common },
  (visitor, { token }) =>
    orRefusal(visitor, title, async () => {
      await unsubscribe(visitor, token)
      const body = `<p>You get no more emails about missed messages. You can switch them on in your settings.</p>
<p><a href="${servedPath(visitor.chat, '/')}">Continue</a></p>`
      return { status: 200, title: 'Emails stopped', body }
    }),
)
