import * as v from 'valibot'
import { deactivate } from '../accounts/set-active.ts'
import { action } from '../kernel/action.ts'
import { described, id } from '../kernel/fields.ts'
import { empty } from '../shapes/values.ts'
import { accessBot } from './access.ts'

/**
 * DELETE /bots/{bot_id}: deactivates a bot, which can no longer sign in. Its messages stay.
 *
 * @throws BAD_REQUEST for another user's bot
 * @throws BAD_REQUEST "No such bot", "User already deactivated"
 */
export const deactivateBot = action(
  {
    name: 'deactivateBot',
    summary: 'Deactivate a bot',
    audit: { subject: 'user', id: ({ bot_id }) => bot_id },
    params: v.object({ bot_id: described(id, 'ID of the bot.') }),
    result: empty,
  },
  (caller, { bot_id }) =>
    caller.write(async (tx) => {
      await deactivate(tx, await accessBot(tx, bot_id))
      return {}
    }),
)
