import * as v from 'valibot'
import { subscriberOf, unsubscribe } from '../../core/accounts/unsubscribe.ts'
import { publicAction } from '../../core/kernel/action.ts'
import { described, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { subscriptions } from '../../core/mail/unsubscribe-link.ts'
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

type Kind = (typeof subscriptions)[number]

const emails: Readonly<Record<Kind, string>> = {
  missed_messages: 'emails about missed messages',
  digest: 'weekly emails',
  topic: 'emails about this topic, unless they mention you',
}

const titles: Readonly<Record<Kind, string>> = {
  missed_messages: 'Stop emails about missed messages',
  digest: 'Stop weekly emails',
  topic: 'Mute this topic',
}

const back: Readonly<Record<Kind, string>> = {
  missed_messages: 'You can switch them on in your settings.',
  digest: 'You can switch them on in your settings.',
  topic: 'The topic is muted. You can unmute it in the chat.',
}

/** GET /accounts/unsubscribe/{kind}/{token}: shows the button, because mail servers open links. */
export const getUnsubscribePage = publicAction(
  { name: 'getUnsubscribePage', summary: 'Get the page that stops emails of one kind', ...common },
  (visitor, link) =>
    orRefusal(visitor, titles[link.kind], async () => {
      const { user } = await subscriberOf(visitor, link)
      const about = `<p>${escapeText(user.delivery_email)} gets no more ${emails[link.kind]}.</p>\n`
      const button = link.kind === 'topic' ? titles.topic : 'Stop these emails'
      return { status: 200, title: titles[link.kind], body: about + form(undefined, [], button) }
    }),
)

/**
 * POST /accounts/unsubscribe/{kind}/{token}: stops the emails. Mail programs send it too (RFC 8058), without a cookie and
 * without another question.
 */
export const postUnsubscribePage = publicAction(
  { name: 'postUnsubscribePage', summary: 'Stop emails of one kind', ...common },
  (visitor, link) =>
    orRefusal(visitor, titles[link.kind], async () => {
      await unsubscribe(visitor, link)
      const body = `<p>You get no more ${emails[link.kind]}. ${back[link.kind]}</p>
<p><a href="${servedPath(visitor.chat, '/')}">Continue</a></p>`
      return { status: 200, title: 'Emails stopped', body }
    }),
)
