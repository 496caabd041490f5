import type { Selectable } from 'kysely'
import * as v from 'valibot'
import type { ScheduledMessageTable } from '../../../storage/index.ts'
import { participantsOf } from '../../access/messages.ts'
import { requireVoice } from '../../access/silence.ts'
import { keepForScheduled } from '../../files/unsent.ts'
import { action } from '../../kernel/action.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { absent, badRequest } from '../../kernel/errors.ts'
import { bool, described, id, none, text } from '../../kernel/fields.ts'
import { requireAccepted } from '../../review/filters/require.ts'
import { scheduledMessageShape } from '../../shapes/message.ts'
import { empty } from '../../shapes/values.ts'
import { topicMatches } from '../send/content-filters.ts'
import { prepare } from '../send/prepare.ts'
import { messageType, resolveRecipient } from '../send/recipient.ts'
import { LATEST, schedule, schedulerOf } from '../send/schedule.ts'
import { emitScheduledDelivered, emitScheduledUpdated, scheduledMessagesOf } from '../send/scheduled-view.ts'

const to = described(v.union([id, v.array(id)]), 'A channel ID, or a list of user IDs.')
const type = described(messageType, '"stream" (or "channel") or "direct" (or "private").')
const content = described(text, 'The text, in Markdown, at most 10,000 bytes.')
const topic = described(v.optional(text), 'The topic, at most 60 characters. Only for channels.')
const time = described(
  v.pipe(v.number(), v.integer(), v.maxValue(LATEST, 'Scheduled delivery time is too far in the future.')),
  'When to send it, as Unix time in seconds.',
)
const scheduled_message_id = described(id, 'ID of the scheduled message.')
const doesNotExist = () => absent('Scheduled message does not exist')

/**
 * GET /scheduled_messages: lists the caller's scheduled messages.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 */
export const listScheduledMessages = action(
  {
    name: 'listScheduledMessages',
    summary: 'List scheduled messages',
    params: none,
    result: v.strictObject({ scheduled_messages: v.array(scheduledMessageShape) }),
  },
  async (caller) => ({ scheduled_messages: await scheduledMessagesOf(caller) }),
)

/**
 * POST /scheduled_messages: schedules a message. It is checked now, and again when it is due.
 *
 * @throws BAD_REQUEST like `sendMessage`, and "Scheduled delivery time must be in the future."
 * @throws SILENCED while a moderator has silenced the caller
 * @throws STREAM_DOES_NOT_EXIST for a channel that doesn't exist or is hidden from the caller
 */
export const createScheduledMessage = action(
  {
    name: 'createScheduledMessage',
    summary: 'Schedule a message',
    params: v.object({
      type,
      to,
      content,
      topic,
      scheduled_delivery_timestamp: time,
      read_by_sender: described(v.optional(bool), 'Whether to mark it as read for its sender.'),
    }),
    result: v.strictObject({ scheduled_message_id: id }),
    idempotencyKey: 'one write',
    errors: ['STREAM_DOES_NOT_EXIST', 'SILENCED'],
  },
  async (caller, params) => {
    requireFuture(caller, params.scheduled_delivery_timestamp)
    const prepared = await prepare(caller, params.content)
    return caller.write(async (tx) => {
      const recipient = await resolveRecipient(tx, { type: params.type, to: params.to, topic: params.topic })
      const { scheduled_delivery_timestamp: at, read_by_sender } = params
      return { scheduled_message_id: await schedule(tx, recipient, prepared, at, read_by_sender) }
    })
  },
)

/**
 * PATCH /scheduled_messages/{scheduled_message_id}: changes the time, text or recipient. A failed message is tried
 * again.
 *
 * @throws BAD_REQUEST with status 404, "Scheduled message does not exist"
 * @throws SILENCED while a moderator has silenced the caller
 * @throws STREAM_DOES_NOT_EXIST for a channel that doesn't exist or is hidden from the caller
 */
export const updateScheduledMessage = action(
  {
    name: 'updateScheduledMessage',
    summary: 'Edit a scheduled message',
    params: v.object({
      scheduled_message_id,
      type: described(v.optional(type), 'The new type of recipient. Requires `to`.'),
      to: described(v.optional(to), 'A channel ID, or a list of user IDs.'),
      content: described(v.optional(content), 'The text, in Markdown, at most 10,000 bytes.'),
      topic,
      scheduled_delivery_timestamp: described(v.optional(time), 'When to send it, as Unix time in seconds.'),
    }),
    result: empty,
    errors: ['STREAM_DOES_NOT_EXIST', 'SILENCED'],
  },
  async (caller, { scheduled_message_id, scheduled_delivery_timestamp: at, ...params }) => {
    const { type, to, content, topic } = params
    if (at === undefined && Object.values(params).every((value) => value === undefined)) {
      throw badRequest('Nothing to change')
    }
    const stream = type === 'stream' || type === 'channel'
    if (type !== undefined && to === undefined) {
      throw badRequest('Recipient required when updating type of scheduled message.')
    }
    if (stream && topic === undefined) {
      throw badRequest('Topic required when updating scheduled message type to channel.')
    }
    if (at !== undefined) requireFuture(caller, at)
    const prepared = content === undefined ? undefined : await prepare(caller, content)
    return caller.write(async (tx) => {
      const own = await accessScheduled(tx, scheduled_message_id)
      await requireVoice(tx)
      // The time of a failed message is in the past, so it needs a new one.
      if (at === undefined && own.failed) requireFuture(tx, own.deliver_at)
      const kind = type ?? (own.topic === null ? 'private' : 'stream')
      const toStream = kind === 'stream' || kind === 'channel'
      const moves = to !== undefined || type !== undefined || topic !== undefined
      const recipient = moves
        ? await resolveRecipient(tx, {
            type: kind,
            to: to ?? (own.topic === null ? await participantsOf(tx.db, own.conversation_id) : own.conversation_id),
            topic: topic ?? own.topic,
          })
        : undefined
      // Direct messages are checked when they are due: no filter applies to notes to oneself.
      if (prepared && (recipient ? recipient.kind === 'stream' : own.topic !== null))
        requireAccepted(prepared.matches, true)
      if (recipient?.kind === 'stream') await topicMatches(tx, recipient.stream.id, recipient.topic)
      const row = await tx.db
        .updateTable('scheduled_message')
        .set({
          ...(at !== undefined && { deliver_at: at }),
          ...(prepared && { content: prepared.content, rendered_content: prepared.rendered.html }),
          ...(recipient && {
            conversation_id: recipient.conversation_id,
            topic: toStream && recipient.kind === 'stream' ? recipient.topic : null,
          }),
          failed: 0,
          failure_message: null,
        })
        .where('id', '=', own.id)
        .returningAll()
        .executeTakeFirstOrThrow()
      tx.afterCommit(() => schedulerOf(tx.chat).wake())
      if (prepared) await keepForScheduled(tx, row.id, row.content)
      await emitScheduledUpdated(tx, row)
      return {}
    })
  },
)

/**
 * DELETE /scheduled_messages/{scheduled_message_id}: cancels a scheduled message.
 *
 * @throws BAD_REQUEST (404) "Scheduled message does not exist"
 */
export const deleteScheduledMessage = action(
  {
    name: 'deleteScheduledMessage',
    summary: 'Cancel a scheduled message',
    params: v.object({ scheduled_message_id }),
    result: empty,
  },
  (caller, { scheduled_message_id }) =>
    caller.write(async (tx) => {
      const own = await accessScheduled(tx, scheduled_message_id)
      await tx.db.deleteFrom('scheduled_message').where('id', '=', own.id).execute()
      await emitScheduledDelivered(tx, own)
      return {}
    }),
)

async function accessScheduled({ db, user }: Tx, id: number): Promise<Selectable<ScheduledMessageTable>> {
  const own = await db
    .selectFrom('scheduled_message')
    .selectAll()
    .where('id', '=', id)
    .where('sender_id', '=', user.id)
    .executeTakeFirst()
  if (!own) throw doesNotExist()
  return own
}

function requireFuture({ chat }: Caller, at: number): void {
  if (at <= seconds(chat.clock)) throw badRequest('Scheduled delivery time must be in the future.')
}
