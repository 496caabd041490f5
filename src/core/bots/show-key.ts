import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id } from '../kernel/fields.ts'
import { empty } from '../shapes/values.ts'
import { accessBot } from './access.ts'

/**
 * GET /bots/{bot_id}/api_key: always fails. The server stores only digests of keys, so it can't show a key again.
 *
 * @throws BAD_REQUEST "No such bot", for another user's bot, and in all other cases
 */
export const showBotKey = action(
  {
    name: 'showBotKey',
    summary: "Get a bot's API key",
    params: v.object({ bot_id: described(id, 'ID of the bot.') }),
    result: empty,
  },
  async (caller, { bot_id }) => {
    await accessBot(caller, bot_id)
    throw badRequest('API keys are shown only once, when they are created. Regenerate the key to get a new one.')
  },
)
