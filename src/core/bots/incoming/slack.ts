import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, text } from '../../kernel/fields.ts'
import { announce, placeParams, receiving } from './announce.ts'
import { fromSlack } from './slack-text.ts'
import { code, topicName, untrustedLine } from './text.ts'

const { body: _, ...asForm } = receiving

/**
 * POST /external/slack: receives messages of a Slack or Mattermost channel from their outgoing webhooks, and slash
 * commands. They go to the `stream` in the address, with the channel as the topic. Without one, they go to the stream
 * with the channel's name.
 *
 * @throws STREAM_DOES_NOT_EXIST for a stream that is hidden from the bot
 * @throws BAD_REQUEST for a request from another program
 */
export const receiveSlack = action(
  {
    name: 'receiveSlack',
    summary: "Receive a request of Slack's outgoing webhooks or of a slash command",
    params: v.object({
      ...placeParams,
      channel_name: described(text, 'The channel it was said in.'),
      user_name: described(text, 'Who said it.'),
      text: described(v.nullish(text, ''), 'What was said; of a slash command what stands after it.'),
      command: described(v.nullish(text), 'The slash command.'),
    }),
    result: v.strictObject({ text: v.literal('ok') }),
    answers: 'text',
    ...asForm,
  },
  async (caller, { stream, topic, channel_name, user_name, text, command }) => {
    const said = fromSlack(text)
    if (said === '' && !command) throw badRequest('The message is empty')
    const who = `**${untrustedLine(user_name)}**`
    const content = command ? `${who} ${code(command)} ${said}`.trim() : `${who}: ${said}`
    const channel = channel_name.replace(/^#/, '')
    const place = { stream: stream || channel, topic }
    await announce(caller, place, { topic: stream ? topicName(channel) : '', content })
    return { text: 'ok' as const }
  },
)
