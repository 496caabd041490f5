import { defineCache } from '../cache.ts'
import { userColumns } from '../user.ts'

/** The account that speaks for the server itself. */
export const systemBot = defineCache('system-bot', (db) =>
  db.selectFrom('user').select(userColumns).where('is_system_bot', '=', 1).executeTakeFirstOrThrow(),
)
