import * as v from 'valibot'
import { isSession } from '../accounts/key-page.ts'
import { action } from '../kernel/action.ts'
import { none } from '../kernel/fields.ts'
import { userColumns } from '../kernel/user.ts'
import { avatarUrl } from '../users/avatars/avatar-url.ts'
import { botKeys } from './keys.ts'
import { botProfiles } from './profiles/profile.ts'

const ownBotShape = v.strictObject({
  /** Its email address. */
  username: v.string(),
  full_name: v.string(),
  /** Absent if it can't be shown, for limited keys and sessions of browsers, and for bots with more rights than their owner. */
  api_key: v.exactOptional(v.string()),
  avatar_url: v.nullable(v.string()),
  default_sending_stream: v.nullable(v.string()),
  default_events_register_stream: v.nullable(v.string()),
  default_all_public_streams: v.boolean(),
})

/**
 * GET /bots: lists the caller's own active bots with their API keys. Limited keys and sessions of browsers don't get
 * these, nor do owners of bots with more rights than they have.
 *
 * @throws BAD_REQUEST for guests
 */
export const listBots = action(
  {
    name: 'listBots',
    summary: 'List your bots',
    params: none,
    result: v.strictObject({ bots: v.array(ownBotShape) }),
    role: 'member',
    secret: ({ bots }) => bots.some((bot) => bot.api_key !== undefined),
  },
  async (caller) => {
    const bots = await caller.db
      .selectFrom('user')
      .select(userColumns)
      .where('bot_owner_id', '=', caller.user.id)
      .where('is_active', '=', 1)
      .orderBy('id')
      .execute()
    const ids = bots.map(({ id }) => id)
    const profiles = await botProfiles(caller, ids)
    // An administrator may have given a bot more rights than its owner has.
    const isLimited = caller.grant !== undefined || (await isSession(caller))
    const shown = bots.filter((bot) => !isLimited && bot.role >= caller.user.role)
    const keys = await botKeys(
      caller,
      shown.map(({ id }) => id),
    )
    return {
      bots: bots.map((bot) => {
        const { config_data: _, service: __, ...defaults } = profiles.get(bot.id)!
        const api_key = keys.get(bot.id)
        return {
          username: bot.email,
          full_name: bot.full_name,
          ...(api_key !== undefined && { api_key }),
          avatar_url: avatarUrl(caller.chat, bot),
          ...defaults,
        }
      }),
    }
  },
)
