import { seconds } from '../../kernel/base/clock.ts'
import type { Context } from '../../kernel/context.ts'
import { settingsOf } from '../../settings/organization.ts'
import { settingsOfUser } from '../../settings/user.ts'

/** People who were active later get no weekly email. */
export const AWAY_SECONDS = 5 * 86_400

/** Returns whether somebody has not been active for days. Without presence, the uses of their sessions and keys count. */
export async function isAway(context: Context, { id }: { id: number }): Promise<boolean> {
  const { db, chat } = context
  const since = seconds(chat.clock) - AWAY_SECONDS
  const { presence_disabled } = await settingsOf(context)
  const { presence_enabled } = await settingsOfUser(context, id)
  const presence = await db.selectFrom('presence').select('active_at').where('user_id', '=', id).executeTakeFirst()
  if ((presence?.active_at ?? 0) > since) return false
  if (presence_enabled && !presence_disabled) return true
  const key = db.selectFrom('api_key').select('id').where('user_id', '=', id).where('last_used_at', '>', since)
  return (await key.where('kind', '!=', 'token').limit(1).executeTakeFirst()) === undefined
}
