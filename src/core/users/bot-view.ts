import { avatarUrl } from '../avatars/avatar-url.ts'
import type { Chat } from '../chat.ts'
import type { BotView } from '../shapes/user.ts'
import type { User } from '../user.ts'

/** A bot as its owner sees it. Without its API key, of which only the digest is stored. */
export const botView = (chat: Chat, bot: User): BotView => ({
  user_id: bot.id,
  full_name: bot.full_name,
  email: bot.email,
  bot_type: bot.bot_type,
  is_active: bot.is_active === 1,
  owner_id: bot.bot_owner_id,
  avatar_url: avatarUrl(chat, bot),
  default_sending_stream: null,
  default_events_register_stream: null,
  default_all_public_streams: false,
  services: [],
})
