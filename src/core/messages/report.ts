import * as v from 'valibot'
import { accessMessage, type Message } from '../access/messages.ts'
import { action } from '../kernel/action.ts'
import { lengthOf, MAX_REPORT_LENGTH, MAX_TOPIC_LENGTH } from '../kernel/base/limits.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id, maxCharacters, text } from '../kernel/fields.ts'
import { findUser } from '../kernel/user.ts'
import { enqueueReport } from '../review/report-rows.ts'
import { reportTypes } from '../settings/choices.ts'
import { settingsOf } from '../settings/organization.ts'
import { empty } from '../shapes/values.ts'
import type { Stream } from '../streams/access.ts'
import { asSystemBot } from '../users/system-bot.ts'
import { cut, namedMessage } from './notices/quoted-message.ts'
import { quoted, silentMention, spoiler } from './notices/words.ts'
import { sendToTopic } from './send/post-message.ts'

const types = reportTypes.map(({ key }) => key)

/**
 * POST /messages/{message_id}/report: tells the moderators about a message, in the channel that the organization has
 * chosen for it, and in their queue of reports.
 *
 * @throws BAD_REQUEST "Invalid message(s)" for a message the caller cannot read; for an unknown type, type `other` without
 * a description, and where the organization has chosen no channel
 * @example
 * await reportMessage(ann, { message_id: 7, report_type: 'spam' })
 */
export const reportMessage = action(
  {
    name: 'reportMessage',
    summary: 'Report a message',
    audit: {
      subject: 'message',
      id: ({ message_id }) => message_id,
      details: ({ report_type }) => ({ report_type }),
    },
    params: v.pipe(
      v.object({
        message_id: described(id, 'ID of the message.'),
        report_type: described(
          v.picklist(types, 'Invalid report_type'),
          'The reason: a key of `server_report_message_types`.',
        ),
        description: described(
          v.nullish(v.pipe(text, v.trim(), maxCharacters(MAX_REPORT_LENGTH)), ''),
          'An explanation, at most 1,000 characters. Required for type `other`.',
        ),
      }),
    ),
    result: empty,
    idempotencyKey: 'one write',
  },
  (caller, { message_id, report_type, description }) =>
    caller.write(async (tx) => {
      const message = await accessMessage(tx, message_id)
      if (report_type === 'other' && description === '') throw badRequest('An explanation is required.')
      const channel = await moderationChannel(tx)
      const { name } = reportTypes.find(({ key }) => key === report_type)!
      await enqueueReport(tx, message, { type: report_type, description })
      await post(tx, channel, message, description === '' ? `**${name}**` : `**${name}**\n\n${description}`)
      return {}
    }),
)

async function moderationChannel(tx: Tx): Promise<Stream> {
  const { moderation_request_channel_id: stream_id } = await settingsOf(tx)
  const stream = await tx.db.selectFrom('stream').selectAll().where('id', '=', stream_id).executeTakeFirst()
  if (!stream || stream.is_archived) {
    throw badRequest('Moderation request channel must be specified to enable message reporting.')
  }
  return stream
}

async function post(tx: Tx, channel: Stream, message: Message, reason: string): Promise<void> {
  const bot = await asSystemBot(tx)
  const { author, recipients, isDirect, url } = await namedMessage(bot, message)
  const isToOthers = isDirect && (recipients.length > 1 || message.sender_id === tx.user.id)
  const to = isToOthers ? ` to ${recipients.join(', ')}` : ''
  const at = new Date(message.sent_at * 1000).toISOString().replace('.000', '')
  const first = `${silentMention(tx.user)} reported a message sent by ${author}${to} at <time:${at}>.`
  const link = `[Original message](${url})`
  // A channel that was chosen before reports needed a private one shows only the link.
  const original = (content: string) => (channel.invite_only === 0 ? link : spoiler(link, quoted(content)))
  const body = (content: string) => `${first}\n\n${quoted(reason)}\n\n${original(content)}`
  const room = tx.chat.options.limits.messageBytes - Buffer.byteLength(body(''))
  // Half of it: long runs of backticks make the fences longer, too.
  await sendToTopic(bot, channel.id, await topicFor(tx, message), body(cut(message.content, room / 2)))
}

/** A topic for each author. */
async function topicFor(tx: Tx, { sender_id }: Message): Promise<string> {
  const suffix = ' moderation'
  const name = (await findUser(tx.db, sender_id))?.full_name ?? ''
  return [...name].slice(0, MAX_TOPIC_LENGTH - lengthOf(suffix)).join('') + suffix
}
