import { defineCache } from '../cache.ts'
import { type Caller, type Context, onBehalfOf, type SystemTx, type Tx } from '../context.ts'
import { userColumns } from '../user.ts'

/** The account in whose name the server itself sends messages. */
export const systemBot = defineCache('system-bot', (db) =>
  db.selectFrom('user').select(userColumns).where('is_system_bot', '=', 1).executeTakeFirstOrThrow(),
)

/** The same context on behalf of the server. */
export async function asSystemBot(tx: SystemTx): Promise<Tx>
export async function asSystemBot(context: Context): Promise<Caller>
export async function asSystemBot(context: Context): Promise<Caller> {
  return onBehalfOf(context, await systemBot.get(context))
}
