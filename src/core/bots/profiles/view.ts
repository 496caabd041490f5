import type { Context } from '../../kernel/context.ts'
import type { BotView } from '../../shapes/user.ts'
import { type BotProfile, type BotService, botProfiles } from './profile.ts'

/** Bots as their owners and administrators see them. Everything about their accounts is in the lists of users. */
export async function botViews(context: Pick<Context, 'chat' | 'db'>, ids: readonly number[]): Promise<BotView[]> {
  const profiles = await botProfiles(context, ids)
  return ids.map((user_id) => {
    const { config_data: _, service, ...defaults } = profiles.get(user_id) as BotProfile
    return { user_id, ...defaults, services: servicesView(service) }
  })
}

export async function botView(context: Pick<Context, 'chat' | 'db'>, bot_id: number): Promise<BotView> {
  return (await botViews(context, [bot_id]))[0]!
}

/** Returns a bot's `services` in the API. */
export const servicesView = (service: BotService | null): BotView['services'] =>
  service ? [{ base_url: service.payload_url, interface: service.interface, token: service.token }] : []
