import * as v from 'valibot'
import { readableFiles } from '../../../access/files.ts'
import { accessMessage, type Message } from '../../../access/messages.ts'
import { removeFile } from '../../../files/attachments.ts'
import { UPLOADS_PATH } from '../../../files/names.ts'
import { storeFile } from '../../../files/upload.ts'
import { action } from '../../../kernel/action.ts'
import { type ProtocolAnswer, protocolAnswer } from '../../../kernel/answers.ts'
import { depthOf, MAX_JSON_DEPTH } from '../../../kernel/base/json-depth.ts'
import { isoTime } from '../../../kernel/base/times.ts'
import type { Caller } from '../../../kernel/context.ts'
import { badRequest, ChatError } from '../../../kernel/errors.ts'
import { bool, described, id, text, uploadedFiles } from '../../../kernel/fields.ts'
import { editContent } from '../../../messages/edit/content.ts'
import { removeMessages } from '../../../messages/edit/delete.ts'
import { prepare } from '../../../messages/send/prepare.ts'
import { id as idShape } from '../../../shapes/values.ts'
import { BOT_TYPES } from '../../params.ts'
import { placeParams, receive, receiving } from '../announce.ts'
import { fitted, silenced, topicName, untrustedLine } from '../format/text.ts'
import { receiveEvent, webhookHeaders, webhookParams } from '../receive.ts'
import { receiveSlackMessage, slackMessageParams } from '../slack/incoming.ts'
import { contentOf } from './message.ts'

const MIB = 1024 * 1024
/** As many as Discord takes. */
const MAX_FILES = 10

/** Where a webhook of Discord has its id and its token: in the path. Here they are the id and the key of a bot. */
const address = {
  webhook_id: described(id, 'ID of the bot.'),
  token: described(text, 'Key of the bot.'),
}
const shared = { credentials: 'path', forWebhooks: true } as const

/**
 * Throws unless the key in the path belongs to this incoming webhook. A webhook may always change what it sent, which rules about
 * editing and deleting don't allow others.
 */
function requireOwn({ user }: Caller, webhook_id: number): void {
  if (user.id !== webhook_id || user.bot_type !== BOT_TYPES.incoming)
    throw new ChatError('INVALID_API_KEY', 'Invalid API key')
}

const json = (members: object): ProtocolAnswer => ({ outcome: 'json', headers: {}, members })
const done: ProtocolAnswer = { outcome: 'empty', headers: {} }

const messageParams = {
  content: described(v.nullish(text), "The text, in Discord's Markdown."),
  embeds: described(v.nullish(v.array(v.unknown())), "Embeds, in Discord's format."),
  payload_json: described(v.nullish(text), 'All other parameters as JSON, for forms with a file.'),
}

/** The message of a request: its parameters, or the JSON that a form has beside a file. */
function messageIn({
  content,
  embeds,
  payload_json,
}: v.InferOutput<v.ObjectSchema<typeof messageParams, undefined>>): object {
  if (payload_json == null) return { content: content ?? '', embeds: embeds ?? [] }
  if (depthOf(payload_json) > MAX_JSON_DEPTH) throw badRequest('payload_json nests too deeply')
  let parsed: unknown
  try {
    parsed = JSON.parse(payload_json)
  } catch {
    throw new ChatError('INVALID_JSON', 'Malformed JSON')
  }
  if (typeof parsed !== 'object' || parsed === null) throw badRequest('payload_json is not an object')
  return parsed
}
const nameIn = (message: object, name: string): string => {
  const value = (message as Readonly<Record<string, unknown>>)[name]
  return typeof value === 'string' ? value : ''
}

const view = (
  caller: Caller,
  message: Pick<Message, 'id' | 'sent_at' | 'edited_at' | 'content' | 'conversation_id'>,
) => ({
  id: String(message.id),
  type: 0,
  channel_id: String(message.conversation_id),
  webhook_id: String(caller.user.id),
  author: { id: String(caller.user.id), username: caller.user.full_name, bot: true },
  content: message.content,
  timestamp: isoTime(message.sent_at),
  edited_timestamp: message.edited_at ? isoTime(message.edited_at) : null,
  embeds: [],
  attachments: [],
})

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
      files: described(v.nullish(uploadedFiles, []), 'Files to attach to the message, at most 10.'),
    }),
    result: protocolAnswer,
    answers: 'protocol',
    file: {
      maxBytes: ({ maxFileUploadSizeMib }) => maxFileUploadSizeMib * MIB,
      atMost: MAX_FILES,
      several: `Send at most ${MAX_FILES} files at a time`,
    },
    idempotencyKey: 'own',
    errors: ['STREAM_DOES_NOT_EXIST', 'TOO_LARGE', 'REALM_UPLOAD_QUOTA'],
    ...shared,
  },
  async (caller, { webhook_id, stream, topic, wait, files, ...given }) => {
    requireOwn(caller, webhook_id)
    const message = messageIn(given)
    const incoming = { integration: 'discord', event: '', payload: JSON.stringify(message) }
    const stored: string[] = []
    const announce = async () => {
      const name = nameIn(message, 'username') || given.username || ''
      const attached: string[] = []
      for (const file of files) {
        const { filename, url } = await storeFile(caller, { ...file, content_type: '', chunks: once(file.bytes) })
        stored.push(url)
        attached.push(`[${untrustedLine(filename).replace(/[[\]]/g, '')}](${url})`)
      }
      const shown = [contentOf(message), ...attached].filter((part) => part !== '').join('\n')
      if (shown === '') throw badRequest('Cannot send an empty message')
      return {
        topic: topicName(nameIn(message, 'thread_name') || given.thread_name || ''),
        content: name ? `**${untrustedLine(name)}**: ${shown}` : shown,
      }
    }
    try {
      const { id } = await receive(caller, incoming, { stream, topic }, announce)
      return wait && id !== undefined ? json(view(caller, await accessMessage(caller, id))) : done
    } finally {
      // The channel may be missing, or the message sent before.
      await removeUnused(caller, stored)
    }
  },
)

/** Removes files that became no part of a message. */
async function removeUnused(caller: Caller, urls: readonly string[]): Promise<void> {
  if (urls.length === 0) return
  await caller.write(async (tx) => {
    const paths = urls.map((url) => url.slice(url.indexOf(UPLOADS_PATH) + UPLOADS_PATH.length + 1))
    for (const file of await readableFiles(tx, paths)) if (file.unused_since !== null) await removeFile(tx, file)
  })
}

async function* once(bytes: Uint8Array) {
  yield bytes
}

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

const messageAddress = { ...address, message_id: described(id, 'ID of the message.') }

/** Returns a message that the bot sent. Others don't exist for it. */
async function ownMessage(caller: Caller, message_id: number): Promise<Message> {
  const message = await accessMessage(caller, message_id)
  if (message.sender_id !== caller.user.id) throw badRequest('Invalid message(s)')
  return message
}

/** GET /api/webhooks/{webhook_id}/{token}/messages/{message_id}: returns a message of the bot. */
export const getWebhookMessage = action(
  {
    name: 'getWebhookMessage',
    summary: "Get a webhook's own message",
    params: v.object(messageAddress),
    result: protocolAnswer,
    answers: 'protocol',
    ...shared,
  },
  async (caller, { webhook_id, message_id }) => {
    requireOwn(caller, webhook_id)
    return json(view(caller, await ownMessage(caller, message_id)))
  },
)

/**
 * PATCH /api/webhooks/{webhook_id}/{token}/messages/{message_id}: changes a message of the bot.
 *
 * @throws BAD_REQUEST for another's message, and for one without content
 */
export const editWebhookMessage = action(
  {
    name: 'editWebhookMessage',
    summary: "Edit a webhook's own message",
    params: v.object({ ...messageAddress, ...messageParams }),
    result: protocolAnswer,
    answers: 'protocol',
    errors: ['STREAM_WILDCARD_MENTION_NOT_ALLOWED', 'TOPIC_WILDCARD_MENTION_NOT_ALLOWED'],
    ...shared,
  },
  async (caller, { webhook_id, message_id, ...given }) => {
    requireOwn(caller, webhook_id)
    const content = fitted(silenced(contentOf(messageIn(given))), caller.chat.options.limits.messageBytes)
    if (content === '') throw badRequest('Cannot send an empty message')
    const prepared = await prepare(caller, content)
    await caller.write(async (tx) => editContent(tx, await ownMessage(tx, message_id), prepared))
    return json(view(caller, await ownMessage(caller, message_id)))
  },
)

/**
 * DELETE /api/webhooks/{webhook_id}/{token}/messages/{message_id}: deletes a message of the bot.
 *
 * @throws BAD_REQUEST for another's message
 */
export const deleteWebhookMessage = action(
  {
    name: 'deleteWebhookMessage',
    summary: "Delete a webhook's own message",
    params: v.object(messageAddress),
    result: protocolAnswer,
    answers: 'protocol',
    ...shared,
  },
  async (caller, { webhook_id, message_id }) => {
    requireOwn(caller, webhook_id)
    await caller.write(async (tx) => removeMessages(tx, [await ownMessage(tx, message_id)]))
    return done
  },
)
