import { defineCache } from '../cache.ts'
import { userColumns } from '../user.ts'

/** The account in whose name the server itself sends messages. */
export const systemBot = defineCache('system-bot', (db) =>
  db.selectFrom('user').select(userColumns).where('is_system_bot', '=', 1).executeTakeFirstOrThrow(),
)
