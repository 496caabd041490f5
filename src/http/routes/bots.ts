import { listBotCommands, registerBotCommand, removeBotCommand } from '../../core/bots/commands.ts'
import { createBot } from '../../core/bots/create.ts'
import { deactivateBot } from '../../core/bots/deactivate.ts'
import { addFeed, listFeeds, removeFeed } from '../../core/bots/feeds/feeds.ts'
import { listDeliveries } from '../../core/bots/incoming/deliveries.ts'
import { listBots } from '../../core/bots/list.ts'
import { listFailures } from '../../core/bots/outgoing/failures.ts'
import { regenerateBotKey } from '../../core/bots/regenerate-key.ts'
import { showBotKey } from '../../core/bots/show-key.ts'
import { getStorage, removeStorage, updateStorage } from '../../core/bots/storage.ts'
import { updateBot } from '../../core/bots/update.ts'
import type { Routes } from '../route-types.ts'

/** Bots, and what they store. */
export const botRoutes: Routes = {
  '/bots': { GET: listBots, POST: createBot },
  '/bots/:bot_id(\\d+)': { PATCH: updateBot, DELETE: deactivateBot },
  '/bots/:bot_id(\\d+)/api_key': { GET: showBotKey },
  '/bots/:bot_id(\\d+)/api_key/regenerate': { POST: regenerateBotKey },
  '/bots/:bot_id(\\d+)/deliveries': { GET: listDeliveries },
  '/bots/:bot_id(\\d+)/failures': { GET: listFailures },
  '/bots/:bot_id(\\d+)/feeds': { GET: listFeeds, POST: addFeed },
  '/bots/:bot_id(\\d+)/feeds/:feed_id(\\d+)': { DELETE: removeFeed },
  '/bot_commands': { GET: listBotCommands, POST: registerBotCommand },
  '/bot_commands/:command_id(\\d+)': { DELETE: removeBotCommand },
  '/bot_storage': { GET: getStorage, PUT: updateStorage, DELETE: removeStorage },
}
