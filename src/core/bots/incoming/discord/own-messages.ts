import * as v from 'valibot'
import { accessMessage, type Message } from '../../../access/messages.ts'
import { requireVoice } from '../../../access/silence.ts'
import { action } from '../../../kernel/action.ts'
import { protocolAnswer } from '../../../kernel/answers.ts'
import type { Caller } from '../../../kernel/context.ts'
import { badRequest } from '../../../kernel/errors.ts'
import { described, id } from '../../../kernel/fields.ts'
import { editContent } from '../../../messages/edit/content.ts'
import { removeMessages } from '../../../messages/edit/delete.ts'
import { prepare } from '../../../messages/send/prepare.ts'
import { fitted, silenced } from '../format/text.ts'
import { keptAttachments, MAX_FILES, removeUnused, splitMessage, storeAll, withAttachments } from './attachments.ts'
import { contentOf } from './message.ts'
import { address, done, file, json, messageIn, messageParams, requireOwn, shared, view } from './protocol.ts'
import { splitName } from './sender-name.ts'

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
    return json(await view(caller, await ownMessage(caller, message_id)))
  },
)

/**
 * PATCH /api/webhooks/{webhook_id}/{token}/messages/{message_id}: changes a message of the bot. Without `content` and
 * `embeds`, its text stays. The name that it was sent with stays, too. New files are added to the attachments that it keeps.
 *
 * @throws BAD_REQUEST for another's message, for one without content, for more than 10 files, and for an attachment that
 * the message doesn't have
 * @throws SILENCED while a moderator has silenced the owner of the bot
 */
export const editWebhookMessage = action(
  {
    name: 'editWebhookMessage',
    summary: "Edit a webhook's own message",
    params: v.object({ ...messageAddress, ...messageParams }),
    result: protocolAnswer,
    answers: 'protocol',
    file,
    errors: [
      'SILENCED',
      'STREAM_WILDCARD_MENTION_NOT_ALLOWED',
      'TOPIC_WILDCARD_MENTION_NOT_ALLOWED',
      'TOO_LARGE',
      'REALM_UPLOAD_QUOTA',
    ],
    ...shared,
  },
  async (caller, { webhook_id, message_id, files, ...given }) => {
    requireOwn(caller, webhook_id)
    const wanted = messageIn(given)
    const { text, attachments } = await splitMessage(caller, (await ownMessage(caller, message_id)).content)
    const { beginning, rest } = splitName(text)
    const kept = keptAttachments(attachments, wanted.attachments, files.length)
    if (kept.length + files.length > MAX_FILES) throw badRequest(`A message can have at most ${MAX_FILES} files`)
    const isTextNew = wanted.content !== undefined || wanted.embeds !== undefined
    const unused = attachments.filter((one) => !kept.includes(one)).map(({ url }) => url)
    try {
      const lines = [...kept.map(({ line }) => line), ...(await storeAll(caller, files, unused))]
      const said = isTextNew ? contentOf(wanted) : rest
      // The name alone is no message.
      const content = withAttachments(caller, said === '' && lines.length === 0 ? '' : `${beginning}${said}`, lines)
      const prepared = await prepare(caller, fitted(silenced(content), caller.chat.options.limits.messageBytes))
      await caller.write(async (tx) => {
        await requireVoice(tx)
        await editContent(tx, await ownMessage(tx, message_id), prepared)
      })
    } finally {
      await removeUnused(caller, unused)
    }
    return json(await view(caller, await ownMessage(caller, message_id)))
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
