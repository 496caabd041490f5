import type { User, Visitor } from '../context.ts'
import { userColumns } from './access.ts'

export const SYSTEM_BOT_KEY = 'system-bot'

/** The account that speaks for the server itself. */
export const systemBot = (caller: Visitor): Promise<User> =>
  caller.memo(SYSTEM_BOT_KEY, (db) =>
    db.selectFrom('user').select(userColumns).where('is_system_bot', '=', 1).executeTakeFirstOrThrow(),
  )
