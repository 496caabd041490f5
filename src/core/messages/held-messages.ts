import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { absent } from '../kernel/errors.ts'
import { described, id } from '../kernel/fields.ts'
import { emitHeld } from '../review/held-rows.ts'
import { empty } from '../shapes/values.ts'

/**
 * DELETE /users/me/held_messages/{held_message_id}: takes a message back that waits for approval.
 *
 * @throws BAD_REQUEST (404) "Held message does not exist", also once a moderator has decided
 */
export const withdrawHeldMessage = action(
  {
    name: 'withdrawHeldMessage',
    summary: 'Withdraw a message that waits for approval',
    params: v.object({ held_message_id: described(id, 'ID of the held message.') }),
    result: empty,
  },
  (caller, { held_message_id }) =>
    caller.write(async (tx) => {
      const gone = await tx.db
        .deleteFrom('held_message')
        .where('id', '=', held_message_id)
        .where('user_id', '=', tx.user.id)
        .where('state', '=', 'waiting')
        .returning(['id', 'user_id'])
        .executeTakeFirst()
      if (!gone) throw absent('Held message does not exist')
      await emitHeld(tx, gone, 'dropped')
      return {}
    }),
)
