import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { described, id } from '../../kernel/fields.ts'
import { id as idShape, integer, unixTime } from '../../shapes/values.ts'
import { accessBot } from '../access.ts'

const failureShape = v.strictObject({
  message_id: idShape,
  /** Why the bot receives it: `command`, `direct_message`, `mention`, or `message` for its filter. */
  trigger: v.string(),
  /** The error of the last attempt. */
  failure: v.string(),
  attempts: integer,
  /** Whether no more attempts are made. */
  given_up: v.boolean(),
  /** When it is tried again, or was given up. */
  next_at: unixTime,
})

/**
 * GET /bots/{bot_id}/failures: lists failed deliveries to an outgoing webhook, newest first. The list includes up to
 * 100 deliveries that the server has given up.
 *
 * @throws BAD_REQUEST "No such bot"; "Insufficient permission" for another user's bot
 */
export const listFailures = action(
  {
    name: 'listFailures',
    summary: "List an outgoing webhook's failed deliveries",
    params: v.object({ bot_id: described(id, 'ID of the bot.') }),
    result: v.strictObject({ failures: v.array(failureShape) }),
  },
  async (caller, { bot_id }) => {
    await accessBot(caller, bot_id)
    const rows = await caller.db
      .selectFrom('outgoing_delivery')
      .selectAll()
      .where('bot_id', '=', bot_id)
      .where('failure', 'is not', null)
      .orderBy('id', 'desc')
      .limit(200)
      .execute()
    return {
      failures: rows.map(({ message_id, trigger, failure, attempts, failed, next_at }) => ({
        message_id,
        trigger,
        failure: failure ?? '',
        attempts,
        given_up: failed === 1,
        next_at,
      })),
    }
  },
)
