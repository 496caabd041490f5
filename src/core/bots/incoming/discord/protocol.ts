import * as v from 'valibot'
import type { Message } from '../../../access/messages.ts'
import type { ProtocolAnswer } from '../../../kernel/answers.ts'
import { depthOf, MAX_JSON_DEPTH } from '../../../kernel/base/json-depth.ts'
import { isoTime } from '../../../kernel/base/times.ts'
import type { Caller } from '../../../kernel/context.ts'
import { badRequest, ChatError } from '../../../kernel/errors.ts'
import { described, id, text, uploadedFiles } from '../../../kernel/fields.ts'
import { BOT_TYPES } from '../../params.ts'
import { attachmentId, MAX_FILES, splitMessage, tooManyFiles } from './attachments.ts'
import { splitName } from './sender-name.ts'

const MIB = 1024 * 1024
/** The files of a request. */
export const file = {
  maxBytes: ({ maxFileUploadSizeMib }: { maxFileUploadSizeMib: number }) => maxFileUploadSizeMib * MIB,
  atMost: MAX_FILES,
  several: tooManyFiles,
}

/** Where a webhook of Discord has its id and its token: in the path. Here they are the id and the key of a bot. */
export const address = {
  webhook_id: described(id, 'ID of the bot.'),
  token: described(text, 'Key of the bot.'),
}
export const shared = { credentials: 'path', forWebhooks: true } as const

/**
 * Throws unless the key in the path belongs to this incoming webhook. A webhook may always change what it sent, which rules about
 * editing and deleting don't allow others.
 */
export function requireOwn({ user }: Caller, webhook_id: number): void {
  if (user.id !== webhook_id || user.bot_type !== BOT_TYPES.incoming)
    throw new ChatError('INVALID_API_KEY', 'Invalid API key')
}

export const json = (members: object): ProtocolAnswer => ({ outcome: 'json', headers: {}, members })
export const done: ProtocolAnswer = { outcome: 'empty', headers: {} }

export const messageParams = {
  content: described(v.nullish(text), "The text, in Discord's Markdown."),
  embeds: described(v.nullish(v.array(v.unknown())), "Embeds, in Discord's format."),
  attachments: described(
    v.nullish(v.array(v.unknown())),
    'For edits: the attachments to keep, as objects with their `id`. By default all.',
  ),
  payload_json: described(v.nullish(text), 'All other parameters as JSON, for forms with a file.'),
  files: described(v.nullish(uploadedFiles, []), 'Files to attach to the message, at most 10.'),
}

/** The parts of a message in Discord's format, in any form. */
interface Given {
  readonly content?: unknown
  readonly embeds?: unknown
  readonly attachments?: unknown
}

/** The message of a request: its parameters, or the JSON that a form has beside a file. */
export function messageIn({
  content,
  embeds,
  attachments,
  payload_json,
}: Omit<v.InferOutput<v.ObjectSchema<typeof messageParams, undefined>>, 'files'>): Given {
  if (payload_json == null) return { content, embeds, attachments }
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

/** A message as Discord shows it. */
export async function view(
  caller: Caller,
  message: Pick<Message, 'id' | 'sent_at' | 'edited_at' | 'content' | 'conversation_id'>,
) {
  const { text, attachments } = await splitMessage(caller, message.content)
  const { name, rest } = splitName(text)
  return {
    id: String(message.id),
    type: 0,
    channel_id: String(message.conversation_id),
    webhook_id: String(caller.user.id),
    author: { id: String(caller.user.id), username: name || caller.user.full_name, bot: true },
    content: rest,
    timestamp: isoTime(message.sent_at),
    edited_timestamp: message.edited_at ? isoTime(message.edited_at) : null,
    embeds: [],
    attachments: attachments.map((attachment) => ({
      id: attachmentId(attachment),
      filename: attachment.file.name,
      size: attachment.file.size,
      content_type: attachment.file.content_type,
      url: `${caller.origin}${attachment.url}`,
      proxy_url: `${caller.origin}${attachment.url}`,
    })),
  }
}
