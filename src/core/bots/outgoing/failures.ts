import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { described, id } from '../../kernel/fields.ts'
import { id as idShape, integer, unixTime } from '../../shapes/values.ts'
import { accessBot } from '../access.ts'

const failureShape = v.strictObject({
  message_id: idShape,
  /** Why it was to be sent: `direct_message`, `mention`, or `message` for the filter's. */
  trigger: v.string(),
  /** What went wrong at the last attempt. */
  failure: v.string(),
  attempts: integer,
  /** Given up; otherwise it is tried again. */
  given_up: v.boolean(),
  /** When it is tried again, or was given up. */
  next_at: unixTime,
})

/**
 * GET /bots/{bot_id}/failures: messages that an outgoing webhook's receiver did not take, newest first; of those that
 * were given up the last hundred.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for another's bot
 * @throws BAD_REQUEST "No such bot"
 */
export const listFailures = action(
  {
    name: 'listFailures',
    summary: "List what an outgoing webhook's receiver did not take",
    params: v.object({ bot_id: described(id, 'Id of the bot.') }),
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
