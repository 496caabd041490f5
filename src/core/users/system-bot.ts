import { defineCache } from '../kernel/cache.ts'
import { type Caller, type Context, onBehalfOf, type SystemTx, type Tx } from '../kernel/context.ts'
import { systemBots } from '../kernel/system-bots.ts'
import { userColumns } from '../kernel/user.ts'

const defineBot = (name: keyof typeof systemBots) =>
  defineCache(`${name}-bot`, (db) =>
    db
      .selectFrom('user')
      .select(userColumns)
      .where('is_system_bot', '=', 1)
      .where('email_key', '=', systemBots[name].email)
      .executeTakeFirstOrThrow(),
  )

/** The account in whose name the server sends notices. */
export const systemBot = defineBot('notification')
/** The account that welcomes new users. */
export const welcomeBot = defineBot('welcome')
/** The account that posts email. */
export const mailBot = defineBot('mail')

/** The same context on behalf of the server. */
export async function asSystemBot(tx: SystemTx): Promise<Tx>
export async function asSystemBot(context: Context): Promise<Caller>
export async function asSystemBot(context: Context): Promise<Caller> {
  return onBehalfOf(context, await systemBot.get(context))
}
