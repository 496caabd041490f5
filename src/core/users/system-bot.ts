import type { Context } from '../context.ts'
import { type User, userColumns } from '../user.ts'

export const SYSTEM_BOT_KEY = 'system-bot'

/** The account that speaks for the server itself. */
export const systemBot = (caller: Context): Promise<User> =>
  caller.memo(SYSTEM_BOT_KEY, (db) =>
    db.selectFrom('user').select(userColumns).where('is_system_bot', '=', 1).executeTakeFirstOrThrow(),
  )
