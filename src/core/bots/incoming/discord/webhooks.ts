import * as v from 'valibot'
import { accessMessage } from '../../../access/messages.ts'
import { action } from '../../../kernel/action.ts'
import { protocolAnswer } from '../../../kernel/answers.ts'
import { badRequest } from '../../../kernel/errors.ts'
import { bool, described, text } from '../../../kernel/fields.ts'
import { id as idShape } from '../../../shapes/values.ts'
import { placeParams, receive, receiving } from '../announce.ts'
import { recordRejected } from '../deliveries.ts'
import { topicName } from '../format/text.ts'
import { receiveEvent, webhookHeaders, webhookParams } from '../receive.ts'
import { receiveSlackMessage, slackMessageParams } from '../slack/incoming.ts'
import { removeUnused, storeAll, withAttachments } from './attachments.ts'
import { contentOf } from './message.ts'
import { address, done, file, json, messageIn, messageParams, requireOwn, shared, view } from './protocol.ts'
import { withName } from './sender-name.ts'

const nameIn = (message: object, name: string): string => {
  const value = (message as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : ''
}

/**
 * POST /api/webhooks/{webhook_id}/{token}: accepts messages in the format of Discord's webhooks. They go to the
 * `stream` and `topic` of the URL, with `thread_name` as the topic if the URL has none. Without a channel, they go to
 * the bot's default channel, or to its owner.
 *
 * @throws STREAM_DOES_NOT_EXIST for a channel that the bot may not know
 * @throws BAD_REQUEST for a message without content
 */
export const executeWebhook = action(
  {
    name: 'executeWebhook',
    summary: "Receive a message in Discord's format",
    params: v.object({
      ...address,
      ...placeParams,
      ...messageParams,
      username: described(v.nullish(text), 'Display name of the sender.'),
      thread_name: described(v.nullish(text), 'The topic, if the URL has none.'),
      wait: described(v.nullish(bool), 'Whether the response contains the message.'),
    }),
    result: protocolAnswer,
    answers: 'protocol',
    file,
    idempotencyKey: 'own',
    rejected: recordRejected,
    errors: ['STREAM_DOES_NOT_EXIST', 'TOO_LARGE', 'REALM_UPLOAD_QUOTA'],
    ...shared,
  },
  async (caller, { webhook_id, stream, topic, wait, files, ...given }) => {
    requireOwn(caller, webhook_id)
    const message = messageIn(given)
    const { username, thread_name } = given
    const names = { ...(username && { username }), ...(thread_name && { thread_name }) }
    const incoming = { integration: 'discord', event: '', payload: JSON.stringify({ ...names, ...message }) }
    const stored: string[] = []
    const announce = async () => {
      const name = nameIn(message, 'username') || username || ''
      const text = contentOf(message)
      // The name alone is no message.
      if (text === '' && files.length === 0) throw badRequest('Cannot send an empty message')
      const lines = await storeAll(caller, files, stored)
      const shown = withAttachments(caller, withName(name, text), lines)
      return {
        topic: topicName(nameIn(message, 'thread_name') || thread_name || ''),
        content: shown,
      }
    }
    try {
      const { id } = await receive(caller, incoming, { stream, topic }, announce)
      return wait && id !== undefined ? json(await view(caller, await accessMessage(caller, id))) : done
    } finally {
      // The channel may be missing, or the message sent before.
      await removeUnused(caller, stored)
    }
  },
)

const { integration: _, ...githubParams } = webhookParams

/** POST /api/webhooks/{webhook_id}/{token}/github: accepts an event from GitHub, as Discord does. */
export const executeGithubWebhook = action(
  {
    name: 'executeGithubWebhook',
    summary: 'Receive a GitHub event at a Discord webhook URL',
    params: v.object({ ...githubParams, ...address }),
    result: v.strictObject({ id: v.exactOptional(idShape) }),
    headers: webhookHeaders,
    ...receiving,
    ...shared,
    errors: ['STREAM_DOES_NOT_EXIST', 'UNAUTHORIZED'],
  },
  (caller, { webhook_id, token: _token, ...given }) => {
    requireOwn(caller, webhook_id)
    return receiveEvent(caller, { ...given, integration: 'github' })
  },
)

/** POST /api/webhooks/{webhook_id}/{token}/slack: accepts a message in Slack's format, as Discord does. */
export const executeSlackWebhook = action(
  {
    name: 'executeSlackWebhook',
    summary: 'Receive a Slack message at a Discord webhook URL',
    params: v.object({ ...slackMessageParams, ...address }),
    result: v.strictObject({ text: v.literal('ok') }),
    answers: 'text',
    ...receiving,
    ...shared,
  },
  (caller, { webhook_id, token: _token, ...given }) => {
    requireOwn(caller, webhook_id)
    return receiveSlackMessage(caller, given)
  },
)

/** GET /api/webhooks/{webhook_id}/{token}: confirms that the URL is valid, and returns its bot. */
export const getWebhook = action(
  {
    name: 'getWebhook',
    summary: "Get a webhook in Discord's format",
    params: v.object(address),
    result: protocolAnswer,
    answers: 'protocol',
    ...shared,
  },
  async (caller, { webhook_id, token }) => {
    requireOwn(caller, webhook_id)
    const { id, full_name } = caller.user
    return json({ id: String(id), type: 1, name: full_name, token, avatar: null, channel_id: null, guild_id: null })
  },
)
