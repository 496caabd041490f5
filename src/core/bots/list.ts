import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { none } from '../kernel/fields.ts'
import { userColumns } from '../kernel/user.ts'
import { botViews } from './profiles/view.ts'

const ownBotShape = v.strictObject({
  /** Its email address. */
  username: v.string(),
  full_name: v.string(),
  /** Always empty: a key is shown only once, when it is created. */
  api_key: v.string(),
  avatar_url: v.nullable(v.string()),
  default_sending_stream: v.nullable(v.string()),
  default_events_register_stream: v.nullable(v.string()),
  default_all_public_streams: v.boolean(),
})

/**
 * GET /bots: lists the caller's own active bots.
 *
 * @throws BAD_REQUEST for guests
 */
export const listBots = action(
  {
    name: 'listBots',
    summary: 'List your bots',
    params: none,
    result: v.strictObject({ bots: v.array(ownBotShape) }),
    secret: true,
    role: 'member',
  },
  async (caller) => {
    const bots = await caller.db
      .selectFrom('user')
      .select(userColumns)
      .where('bot_owner_id', '=', caller.user.id)
      .where('is_active', '=', 1)
      .orderBy('id')
      .execute()
    const views = await botViews(caller, bots)
    return {
      bots: views.map((bot) => ({
        username: bot.email,
        full_name: bot.full_name,
        api_key: bot.api_key,
        avatar_url: bot.avatar_url,
        default_sending_stream: bot.default_sending_stream,
        default_events_register_stream: bot.default_events_register_stream,
        default_all_public_streams: bot.default_all_public_streams,
      })),
    }
  },
)
