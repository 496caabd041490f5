import * as v from 'valibot'
import { isSession } from '../accounts/key-page.ts'
import { requireKey } from '../accounts/keys.ts'
import { action } from '../kernel/action.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id } from '../kernel/fields.ts'
import { accessBot } from './access.ts'
import { botKeys } from './keys.ts'

/**
 * GET /bots/{bot_id}/api_key: returns the newest API key of a bot, for its owner and for administrators. The audit log
 * has an entry for it. Sessions of browsers can't read keys, because a key outlasts the session and nobody would notice.
 *
 * @throws BAD_REQUEST "No such bot", for another user's bot, and for a bot without a key that can be shown: keys from
 * older versions are stored as digests only
 * @throws BAD_REQUEST in a browser's session
 */
export const showBotKey = action(
  {
    name: 'showBotKey',
    summary: "Get a bot's API key",
    audit: { subject: 'user', id: ({ bot_id }) => bot_id, details: () => ({ api_keys: 'shown' }) },
    params: v.object({ bot_id: described(id, 'ID of the bot.') }),
    result: v.strictObject({ api_key: v.string() }),
    secret: true,
  },
  async (caller, { bot_id }) => {
    if (await isSession(caller)) {
      throw badRequest('In a browser, keys of bots are shown only once. Regenerate the key to get a new one.')
    }
    // The key still works afterwards, so only the audit log says who has read it.
    return caller.write(async (tx) => {
      await requireKey(tx)
      await accessBot(tx, bot_id)
      const api_key = (await botKeys(tx, [bot_id])).get(bot_id)
      if (api_key === undefined) {
        throw badRequest('This bot has no API key that can be shown. Regenerate the key to get a new one.')
      }
      return { api_key }
    })
  },
)
