import * as v from 'valibot'
import { action } from '../../../kernel/action.ts'
import { badRequest } from '../../../kernel/errors.ts'
import { described, text } from '../../../kernel/fields.ts'
import { placeParams, receive, receiving } from '../announce.ts'
import { code, topicName, untrustedLine } from '../format/text.ts'
import { fromSlack } from './text.ts'

const { body: _, ...asForm } = receiving

/**
 * POST /external/slack: accepts outgoing webhooks and slash commands of Slack and Mattermost. Messages go to the
 * `stream` of the URL, with the name of their channel as the topic. Without `stream`, they go to the channel of the
 * same name.
 *
 * @throws STREAM_DOES_NOT_EXIST for a channel that the bot may not know
 * @throws BAD_REQUEST for an empty message
 */
export const receiveSlack = action(
  {
    name: 'receiveSlack',
    summary: 'Receive a request from a Slack outgoing webhook or slash command',
    params: v.object({
      ...placeParams,
      channel_name: described(text, 'The channel of the message.'),
      user_name: described(text, 'Name of the sender.'),
      text: described(v.nullish(text, ''), 'The message, or the text after the slash command.'),
      command: described(v.nullish(text), 'The slash command.'),
    }),
    result: v.strictObject({ text: v.literal('ok') }),
    answers: 'text',
    ...asForm,
  },
  async (caller, { stream, topic, channel_name, user_name, text, command }) => {
    const incoming = {
      integration: 'slack',
      event: command ?? '',
      payload: JSON.stringify({ channel_name, user_name, text, command: command ?? undefined }),
    }
    const channel = channel_name.replace(/^#/, '')
    await receive(caller, incoming, { stream: stream || channel, topic }, () => {
      const said = fromSlack(text)
      if (said === '' && !command) throw badRequest('The message is empty')
      const who = `**${untrustedLine(user_name)}**`
      const content = command ? `${who} ${code(command)} ${said}`.trim() : `${who}: ${said}`
      return { topic: stream ? topicName(channel) : '', content }
    })
    return { text: 'ok' as const }
  },
)
