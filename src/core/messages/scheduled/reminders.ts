import type { Selectable } from 'kysely'
import * as v from 'valibot'
import { flag, type ReminderTable } from '../../../storage/index.ts'
import { accessMessage } from '../../access/messages.ts'
import { only } from '../../events/log/audience.ts'
import { emit } from '../../events/log/emit.ts'
import { action } from '../../kernel/action.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { MAX_REMINDER_NOTE_LENGTH } from '../../kernel/base/limits.ts'
import type { Caller, SystemTx } from '../../kernel/context.ts'
import { absent, badRequest } from '../../kernel/errors.ts'
import { described, id, maxCharacters, none, text } from '../../kernel/fields.ts'
import { servedHtml } from '../../kernel/public-url.ts'
import { type ReminderView, reminderShape } from '../../shapes/personal.ts'
import { empty } from '../../shapes/values.ts'
import { prepare } from '../send/prepare.ts'
import { LATEST, schedulerOf } from '../send/schedule.ts'
import { reminderText } from './reminder-text.ts'

type Reminder = Selectable<ReminderTable>

const viewOf = ({ chat }: Pick<Caller, 'chat'>, row: Reminder): ReminderView => ({
  reminder_id: row.id,
  type: 'private',
  to: [row.user_id],
  content: row.content,
  rendered_content: servedHtml(chat, row.rendered_content),
  scheduled_delivery_timestamp: row.deliver_at,
  failed: row.failed === 1,
  reminder_target_message_id: row.message_id,
})

/** The caller's reminders that have not been delivered, in the order in which they are due. */
export async function remindersOf(caller: Caller): Promise<ReminderView[]> {
  const rows = await caller.db
    .selectFrom('reminder')
    .selectAll()
    .where('user_id', '=', caller.user.id)
    .orderBy('deliver_at')
    .orderBy('id')
    .execute()
  return rows.map((row) => viewOf(caller, row))
}

/** Notifies the clients of a reminder's owner that it was removed. */
export const emitReminderRemoved = async (tx: SystemTx, { id, user_id }: Pick<Reminder, 'id' | 'user_id'>) =>
  void (await emit(tx, { type: 'reminders', op: 'remove', reminder_id: id }, only(user_id)))

/**
 * GET /reminders: lists the caller's reminders.
 *
 * @throws USER_DEACTIVATED when the caller's account is deactivated
 * @example
 * const { reminders } = await listReminders(ann)
 */
export const listReminders = action(
  {
    name: 'listReminders',
    summary: 'List reminders',
    params: none,
    result: v.strictObject({ reminders: v.array(reminderShape) }),
  },
  async (caller) => ({ reminders: await remindersOf(caller) }),
)

/**
 * POST /reminders: sends the caller a direct message about a message at a later time. Its text is created now.
 *
 * @throws BAD_REQUEST "Invalid message(s)" for a message the caller cannot read; for a time that has passed
 * @example
 * const in_an_hour = Math.floor(Date.now() / 1000) + 3600
 * await createReminder(ann, { message_id: 7, scheduled_delivery_timestamp: in_an_hour, note: 'answer' })
 */
export const createReminder = action(
  {
    name: 'createReminder',
    summary: 'Create a reminder',
    params: v.object({
      message_id: described(id, 'The message to be reminded of.'),
      scheduled_delivery_timestamp: described(
        v.pipe(v.number(), v.integer(), v.maxValue(LATEST, 'Scheduled delivery time is too far in the future.')),
        'When to send it, as Unix time in seconds.',
      ),
      note: described(
        v.nullish(
          v.pipe(
            text,
            v.trim(),
            maxCharacters(
              MAX_REMINDER_NOTE_LENGTH,
              `Maximum reminder note length: ${MAX_REMINDER_NOTE_LENGTH} characters`,
            ),
          ),
          '',
        ),
        'Note to include in the reminder, at most 1,000 characters.',
      ),
    }),
    result: v.strictObject({ reminder_id: id }),
    idempotencyKey: 'one write',
  },
  async (caller, { message_id, scheduled_delivery_timestamp: deliver_at, note }) => {
    const { chat, user } = caller
    if (deliver_at <= seconds(chat.clock)) throw badRequest('Scheduled delivery time must be in the future.')
    const message = await accessMessage(caller, message_id)
    const { content, rendered } = await prepare(caller, await reminderText(caller, message, note))
    return caller.write(async (tx) => {
      await accessMessage(tx, message_id)
      const { count } = await tx.db
        .selectFrom('reminder')
        .select((eb) => eb.fn.countAll<number>().as('count'))
        .where('user_id', '=', user.id)
        .executeTakeFirstOrThrow()
      const { remindersPerUser: most } = chat.options.limits
      if (count >= most) throw badRequest(`Too many reminders; at most ${most} per user`)
      const values = { user_id: user.id, message_id, note, content, rendered_content: rendered.html, deliver_at }
      const row = await tx.db
        .insertInto('reminder')
        .values({ ...values, failed: flag(false) })
        .returningAll()
        .executeTakeFirstOrThrow()
      tx.afterCommit(() => schedulerOf(chat).wake())
      await emit(tx, { type: 'reminders', op: 'add', reminders: [viewOf(tx, row)] }, only(user.id))
      return { reminder_id: row.id }
    })
  },
)

/**
 * DELETE /reminders/{reminder_id}: cancels a reminder.
 *
 * @throws BAD_REQUEST (404) "Reminder does not exist"
 * @example
 * await deleteReminder(ann, { reminder_id: 3 })
 */
export const deleteReminder = action(
  {
    name: 'deleteReminder',
    summary: 'Cancel a reminder',
    params: v.object({ reminder_id: described(id, 'ID of the reminder.') }),
    result: empty,
  },
  (caller, { reminder_id }) =>
    caller.write(async (tx) => {
      const gone = await tx.db
        .deleteFrom('reminder')
        .where('id', '=', reminder_id)
        .where('user_id', '=', tx.user.id)
        .returning(['id', 'user_id'])
        .executeTakeFirst()
      if (!gone) throw absent('Reminder does not exist')
      await emitReminderRemoved(tx, gone)
      return {}
    }),
)
