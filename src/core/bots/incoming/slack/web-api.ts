import * as v from 'valibot'
import { accessMessage } from '../../../access/messages.ts'
import { action } from '../../../kernel/action.ts'
import { type ProtocolAnswer, protocolAnswer } from '../../../kernel/answers.ts'
import { isChatError } from '../../../kernel/errors.ts'
import { described, text } from '../../../kernel/fields.ts'
import { placeParams, receive } from '../announce.ts'
import { recordRejected } from '../deliveries.ts'
import { topicName, untrustedLine } from '../format/text.ts'
import { contentOf, slackMessage } from './message.ts'

const shared = {
  credentials: 'bearer',
  forWebhooks: true,
  result: protocolAnswer,
  answers: 'protocol',
  rejected: recordRejected,
} as const
const token = described(v.nullish(text), 'Key of the bot, if the Authorization header has none.')
const answer = (members: object): ProtocolAnswer => ({ outcome: 'json', headers: {}, members })

/**
 * POST /api/chat.postMessage: accepts messages from tools that use this method of Slack's Web API. Their token is a
 * bot's key, and the channel is the name or ID of a channel on this server. As in Slack, the status is 200, and `ok`
 * says whether the message was sent.
 */
export const postSlackMessage = action(
  {
    name: 'postSlackMessage',
    summary: "Receive a message in the format of Slack's chat.postMessage",
    params: v.object({
      token,
      topic: placeParams.topic,
      channel: described(v.nullish(text), 'Name or ID of the channel.'),
      text: described(v.nullish(text), 'The message.'),
      blocks: described(v.nullish(v.unknown()), 'Blocks, as JSON.'),
      attachments: described(v.nullish(v.unknown()), 'Attachments, as JSON.'),
      username: described(v.nullish(text), 'Display name of the sender.'),
      icon_emoji: described(v.nullish(text), 'Emoji to show before the name.'),
    }),
    idempotencyKey: 'own',
    ...shared,
  },
  async (caller, { token: _, topic, channel: given, ...rest }) => {
    const channel = (given ?? '').replace(/^#/, '')
    const payload = JSON.stringify({ channel, ...rest })
    const incoming = { integration: 'slack_api', event: 'chat.postMessage', payload }
    try {
      const { id } = await receive(caller, incoming, { stream: channel || undefined, topic }, () => {
        const message = slackMessage(rest)
        const said = contentOf(message)
        const name = message.username ? `**${untrustedLine(message.username)}**: ` : ''
        return { topic: topicName(''), content: said === '' ? '' : `${name}${said}` }
      })
      const { sent_at } = await accessMessage(caller, id!)
      return answer({
        ok: true,
        channel,
        ts: `${sent_at}.${String(id).padStart(6, '0')}`,
        message: { text: rest.text ?? '' },
      })
    } catch (error) {
      if (!isChatError(error)) throw error
      return answer({ ok: false, error: slackErrors[error.code] ?? slackWord(error.message), detail: error.message })
    }
  },
)

const slackErrors: Readonly<Record<string, string>> = { STREAM_DOES_NOT_EXIST: 'channel_not_found' }
const slackWord = (message: string): string => {
  if (message.includes('empty')) return 'no_text'
  return message.includes('too long') ? 'msg_too_long' : 'invalid_arguments'
}

/** POST /api/auth.test: returns the bot that a token belongs to. Tools call it before they use a token. */
export const testSlackToken = action(
  {
    name: 'testSlackToken',
    summary: "Check a token in the format of Slack's auth.test",
    params: v.object({ token }),
    ...shared,
  },
  async ({ user, origin }) =>
    answer({
      ok: true,
      url: `${origin}/`,
      user: user.full_name,
      user_id: String(user.id),
      bot_id: String(user.id),
      team: 'chat',
      team_id: 'T1',
    }),
)
