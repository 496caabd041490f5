import { type ExpressionBuilder, sql } from 'kysely'
import * as v from 'valibot'
import type { Tables } from '../../storage/index.ts'
import { accessMessage } from '../access/messages.ts'
import { action } from '../kernel/action.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id } from '../kernel/fields.ts'
import { KEPT_UNREAD } from '../read-state/flag-bits.ts'
import { settingsOf } from '../settings/organization.ts'

/**
 * GET /messages/{message_id}/read_receipts: returns the users who have read a message. Users who turned off read
 * receipts are left out.
 *
 * @throws BAD_REQUEST "Invalid message(s)" for an unknown or hidden message; also if the organization has turned them
 * off
 */
export const getReadReceipts = action(
  {
    name: 'getReadReceipts',
    summary: "Get a message's read receipts",
    params: v.object({ message_id: described(id, 'ID of the message.') }),
    result: v.strictObject({ user_ids: v.array(id) }),
  },
  async (caller, { message_id }) => {
    const message = await accessMessage(caller, message_id)
    if (!(await settingsOf(caller)).enable_read_receipts) {
      throw badRequest('Read receipts are disabled in this organization.')
    }
    const { db, user: asking } = caller
    // Read state belongs to the conversation that a message was sent in.
    const read_in = message.origin_id ?? message.conversation_id
    const rows = await db
      .selectFrom('user')
      .select('user.id')
      .where('user.id', '!=', message.sender_id)
      .where('user.is_active', '=', 1)
      .where((eb) =>
        message.topic_id === null
          ? eb('user.id', 'in', (q) =>
              q
                .selectFrom('direct_participant')
                .select('direct_participant.user_id')
                .where('direct_participant.conversation_id', '=', message.conversation_id),
            )
          : eb('user.id', 'in', (q) =>
              q
                .selectFrom('subscription_period as period')
                .select('period.user_id')
                .where('period.stream_id', '=', read_in)
                .where('period.from_message_id', '<=', message_id)
                .where((s) =>
                  s.or([s('period.to_message_id', 'is', null), s('period.to_message_id', '>', message_id)]),
                ),
            ),
      )
      .where((eb) =>
        eb.or([
          ...(message.starts_read ? [eb.not(eb.exists(keptUnread(eb, message_id)))] : []),
          eb(
            eb
              .selectFrom('read_range')
              .select('read_range.hi')
              .whereRef('read_range.user_id', '=', 'user.id')
              .where('read_range.conversation_id', '=', read_in)
              .where('read_range.lo', '<=', message_id)
              .orderBy('read_range.lo', 'desc')
              .limit(1),
            '>=',
            message_id,
          ),
        ]),
      )
      .where((eb) => eb.not(eb.exists(keepsReadingPrivate(eb))))
      // Excludes users the caller has muted, and those who have muted the caller.
      .where((eb) =>
        eb.not(
          eb.exists(
            eb
              .selectFrom('muted_user as mute')
              .select('mute.user_id')
              .where((m) =>
                m.or([
                  m.and([m('mute.user_id', '=', asking.id), m('mute.muted_user_id', '=', m.ref('user.id'))]),
                  m.and([m('mute.user_id', '=', m.ref('user.id')), m('mute.muted_user_id', '=', asking.id)]),
                ]),
              ),
          ),
        ),
      )
      .orderBy('user.id')
      .execute()
    return { user_ids: rows.map((row) => row.id) }
  },
)

/** A notice that started as read has a row of flags for a user who has it as unread. */
const keptUnread = (eb: ExpressionBuilder<Tables, 'user'>, message_id: number) =>
  eb
    .selectFrom('message_flag')
    .select('message_flag.user_id')
    .whereRef('message_flag.user_id', '=', 'user.id')
    .where('message_flag.message_id', '=', message_id)
    .where(sql<number>`message_flag.flags & ${sql.lit(KEPT_UNREAD)}`, '!=', 0)

/** Settings have a row only if they differ from the default, which is to send read receipts. */
const keepsReadingPrivate = (eb: ExpressionBuilder<Tables, 'user'>) =>
  eb
    .selectFrom('user_setting')
    .select('user_setting.user_id')
    .whereRef('user_setting.user_id', '=', 'user.id')
    .where('user_setting.name', '=', 'send_read_receipts')
    .where('user_setting.value', '=', 'false')
