import type { Context } from '../../kernel/context.ts'
import type { User } from '../../kernel/user.ts'
import type { BotView } from '../../shapes/user.ts'
import { avatarUrl } from '../../users/avatars/avatar-url.ts'
import { type BotProfile, type BotService, botProfiles } from './profile.ts'

/** Bots as their owners and administrators see them. */
export async function botViews(context: Pick<Context, 'chat' | 'db'>, bots: readonly User[]): Promise<BotView[]> {
  const profiles = await botProfiles(
    context,
    bots.map((bot) => bot.id),
  )
  return bots.map((bot) => {
    const { config_data: _, service, ...defaults } = profiles.get(bot.id) as BotProfile
    return {
      user_id: bot.id,
      full_name: bot.full_name,
      email: bot.email,
      bot_type: bot.bot_type,
      is_active: bot.is_active === 1,
      owner_id: bot.bot_owner_id,
      avatar_url: avatarUrl(context.chat, bot),
      ...defaults,
      services: servicesView(service),
      api_key: '',
    }
  })
}

export async function botView(context: Pick<Context, 'chat' | 'db'>, bot: User): Promise<BotView> {
  return (await botViews(context, [bot]))[0]!
}

/** Returns a bot's `services` in the API. */
export const servicesView = (service: BotService | null): BotView['services'] =>
  service ? [{ base_url: service.payload_url, interface: service.interface, token: service.token }] : []
