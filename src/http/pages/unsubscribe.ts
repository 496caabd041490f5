import * as v from 'valibot'
import { subscriberOf, unsubscribe } from '../../core/accounts/unsubscribe.ts'
import { publicAction } from '../../core/kernel/action.ts'
import { described, text } from '../../core/kernel/fields.ts'
import { servedPath } from '../../core/kernel/public-url.ts'
import { subscriptions } from '../../core/mail/unsubscribe-link.ts'
import { escapeText } from '../../core/markup/html.ts'
import { page, type Words } from '../serve/page.ts'
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

interface Wording {
  title: 'missed' | 'digest' | 'topic'
  text: `${Wording['title']}Text`
  button: 'action' | 'topic'
  stopped: `${Wording['title']}Stopped`
}

const wordings: Readonly<Record<Kind, Wording>> = {
  missed_messages: { title: 'missed', text: 'missedText', button: 'action', stopped: 'missedStopped' },
  digest: { title: 'digest', text: 'digestText', button: 'action', stopped: 'digestStopped' },
  topic: { title: 'topic', text: 'topicText', button: 'topic', stopped: 'topicStopped' },
}

const titleOf =
  (kind: Kind): Words =>
  ({ unsubscribe }) =>
    unsubscribe[wordings[kind].title]

/** GET /accounts/unsubscribe/{kind}/{token}: shows the button, because mail servers open links. */
export const getUnsubscribePage = publicAction(
  { name: 'getUnsubscribePage', summary: 'Get the page that stops emails of one kind', ...common },
  (visitor, link) =>
    orRefusal(visitor, titleOf(link.kind), async () => {
      const { user } = await subscriberOf(visitor, link)
      const { text, button } = wordings[link.kind]
      const body: Words = ({ unsubscribe }) => `<p>${unsubscribe[text](escapeText(user.delivery_email))}</p>
${form(undefined, [], unsubscribe[button])}`
      return { status: 200, title: titleOf(link.kind), body, reader: user }
    }),
)

/**
 * POST /accounts/unsubscribe/{kind}/{token}: stops the emails. Mail programs send it too (RFC 8058), without a cookie and
 * without another question.
 */
export const postUnsubscribePage = publicAction(
  { name: 'postUnsubscribePage', summary: 'Stop emails of one kind', ...common },
  (visitor, link) =>
    orRefusal(visitor, titleOf(link.kind), async () => {
      await unsubscribe(visitor, link)
      const { user } = await subscriberOf(visitor, link)
      const body: Words = ({ common, unsubscribe }) => `<p>${unsubscribe[wordings[link.kind].stopped]}</p>
<p><a href="${servedPath(visitor.chat, '/')}">${common.continue}</a></p>`
      return { status: 200, title: ({ unsubscribe }) => unsubscribe.stoppedTitle, body, reader: user }
    }),
)
