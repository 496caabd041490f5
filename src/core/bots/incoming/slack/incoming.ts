import * as v from 'valibot'
import { action } from '../../../kernel/action.ts'
import type { Caller } from '../../../kernel/context.ts'
import { badRequest } from '../../../kernel/errors.ts'
import { described, text } from '../../../kernel/fields.ts'
import { placeParams, receive, receiving } from '../announce.ts'
import { topicName, untrustedLine } from '../format/text.ts'
import { contentOf, slackMessage } from './message.ts'

export const slackMessageParams = {
  ...placeParams,
  payload: v.optional(described(v.unknown(), 'The message as JSON, in the body or in a form field.')),
  text: described(v.nullish(text), 'The message, in forms that have no payload.'),
}

/** Announces a message in the form of Slack's incoming webhooks. */
export async function receiveSlackMessage(
  caller: Caller,
  { payload, text, stream, topic }: v.InferOutput<v.ObjectSchema<typeof slackMessageParams, undefined>>,
) {
  const given = typeof payload === 'object' && payload !== null ? payload : { text: text ?? '' }
  const message = slackMessage(given)
  const channel = message.channel.replace(/^#|\0/g, '')
  const incoming = { integration: 'slack_incoming', event: '', payload: JSON.stringify(given) }
  const place = { stream: stream || (channel.startsWith('@') ? undefined : channel) || undefined, topic }
  await receive(caller, incoming, place, () => {
    const said = contentOf(message)
    if (said === '') throw badRequest('The payload has no text, no blocks and no attachments')
    const icon = /^:[\w+-]+:$/.test(message.icon_emoji) ? `${message.icon_emoji} ` : ''
    const content = message.username ? `${icon}**${untrustedLine(message.username)}**: ${said}` : said
    return { topic: stream ? topicName(channel) : '', content }
  })
  return { text: 'ok' as const }
}

/**
 * POST /external/slack_incoming and /external/mattermost: accepts posts to incoming webhooks of Slack and Mattermost,
 * and answers with the text "ok", as they do.
 *
 * The message goes to the `stream` and `topic` of the URL. Without a channel there, it goes to the channel that the
 * payload names. With a channel and no topic, the name in the payload becomes the topic.
 *
 * @throws STREAM_DOES_NOT_EXIST for a channel that the bot may not know
 * @throws BAD_REQUEST for a payload without content
 */
export const receiveSlackIncoming = action(
  {
    name: 'receiveSlackIncoming',
    summary: "Receive a message in the format of Slack's incoming webhooks",
    params: v.object(slackMessageParams),
    result: v.strictObject({ text: v.literal('ok') }),
    answers: 'text',
    ...receiving,
  },
  receiveSlackMessage,
)
