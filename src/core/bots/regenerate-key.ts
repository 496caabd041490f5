import * as v from 'valibot'
import { endKeys, requireKey } from '../accounts/keys.ts'
import { action } from '../kernel/action.ts'
import { described, id } from '../kernel/fields.ts'
import { accessBot } from './access.ts'
import { issueBotKey } from './keys.ts'

/**
 * POST /bots/{bot_id}/api_key/regenerate: replaces all keys of a bot with a new one.
 *
 * @throws BAD_REQUEST for another user's bot
 * @throws BAD_REQUEST "No such bot"
 */
export const regenerateBotKey = action(
  {
    name: 'regenerateBotKey',
    summary: "Regenerate a bot's API key",
    audit: { subject: 'user', id: ({ bot_id }) => bot_id, details: () => ({ api_keys: 'replaced' }) },
    params: v.object({ bot_id: described(id, 'ID of the bot.') }),
    result: v.strictObject({ api_key: v.string() }),
    secret: true,
  },
  (caller, { bot_id }) =>
    caller.write(async (tx) => {
      await requireKey(tx)
      const bot = await accessBot(tx, bot_id)
      await endKeys(tx, bot_id)
      return { api_key: await issueBotKey(tx, bot_id, bot.full_name) }
    }),
)
