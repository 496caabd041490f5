import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, text } from '../../kernel/fields.ts'
import { announce, placeParams, receiving } from './announce.ts'
import { payload } from './payload.ts'
import { contentOf, slackMessage } from './slack-message.ts'
import { topicName, untrustedLine } from './text.ts'

/**
 * POST /external/slack_incoming and /external/mattermost: accepts what a service posts to an incoming webhook of Slack
 * or Mattermost, and answers like them, with the text "ok".
 *
 * The message goes to the `stream` and `topic` in the address. Without a stream, it goes to the stream with the name
 * of the payload's channel. With a stream but no topic, the channel's name is the topic.
 *
 * @throws STREAM_DOES_NOT_EXIST for a stream that is hidden from the bot
 * @throws BAD_REQUEST for a payload without content
 */
export const receiveSlackIncoming = action(
  {
    name: 'receiveSlackIncoming',
    summary: "Receive a message in the form of Slack's incoming webhooks",
    params: v.object({
      ...placeParams,
      payload: v.optional(payload),
      text: described(v.nullish(text), 'The message, where a form has it in place of a payload.'),
    }),
    result: v.strictObject({ text: v.literal('ok') }),
    answers: 'text',
    ...receiving,
  },
  async (caller, { payload, text, stream, topic }) => {
    const parsed = v.safeParse(slackMessage, typeof payload === 'object' ? payload : { text: text ?? '' })
    if (!parsed.success) throw badRequest("This is not what Slack's incoming webhooks take.")
    const message = parsed.output
    const channel = message.channel.replace(/^#/, '')
    const said = contentOf(message)
    if (said === '') throw badRequest('The payload has no text, no blocks and no attachments')
    const place = { stream: stream || (channel.startsWith('@') ? undefined : channel) || undefined, topic }
    const content = message.username ? `**${untrustedLine(message.username)}**: ${said}` : said
    await announce(caller, place, { topic: stream ? topicName(channel) : '', content })
    return { text: 'ok' as const }
  },
)
