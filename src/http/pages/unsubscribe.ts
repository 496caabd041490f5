import * as v from 'valibot'
import { subscriberOf, unsubscribe } from '../../core/accounts/unsubscribe.ts'
import { publicAction } from '../../core/kernel/action.ts'
import { described, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { type Subscription, subscriptions } from '../../core/mail/unsubscribe-link.ts'
import { escapeText } from '../../core/markup/html.ts'
import { page } from '../serve/page.ts'
import { form, orRefusal } from './form.ts'

const common = {
  params: v.object({
    kind: described(v.picklist(subscriptions), 'The emails to stop.'),
    token: described(text, 'The token of the link.'),
  }),
  result: page,
  answers: 'page',
} as const

const emails: Readonly<Record<Subscription, string>> = {
  missed_messages: 'emails about missed messages',
  digest: 'weekly emails',
}

/** GET /accounts/unsubscribe/{kind}/{token}: shows the button, because mail servers open links. */
export const getUnsubscribePage = publicAction(
  { name: 'getUnsubscribePage', summary: 'Get the page that stops emails of one kind', ...common },
  (visitor, link) =>
    orRefusal(visitor, `Stop ${emails[link.kind]}`, async () => {
      const { delivery_email } = await subscriberOf(visitor, link)
      const about = `<p>${escapeText(delivery_email)} gets no more ${emails[link.kind]}.</p>\n`
      return { status: 200, title: `Stop ${emails[link.kind]}`, body: about + form(undefined, [], 'Stop these emails') }
    }),
)

/**
 * POST /accounts/unsubscribe/{kind}/{token}: stops the emails. Mail programs send it too (RFC 8058), without a cookie and
 * without another question.
 */
export const postUnsubscribePage = publicAction(
  { name: 'postUnsubscribePage', summary: 'Stop emails of one kind', ...common },
  (visitor, link) =>
    orRefusal(visitor, `Stop ${emails[link.kind]}`, async () => {
      await unsubscribe(visitor, link)
      const body = `<p>You get no more ${emails[link.kind]}. You can switch them on in your settings.</p>
<p><a href="${servedPath(visitor.chat, '/')}">Continue</a></p>`
      return { status: 200, title: 'Emails stopped', body }
    }),
)
