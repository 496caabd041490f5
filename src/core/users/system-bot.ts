import { defineCache } from '../kernel/cache.ts'
import { type Caller, type Context, onBehalfOf, type SystemTx, type Tx } from '../kernel/context.ts'
import { userColumns } from '../kernel/user.ts'

/** The server's own accounts, by what they are for. `register` lists them under `cross_realm_bots`. */
export const systemBots = {
  /** Says what happens. */
  notification: { email: 'notification-bot@chat.invalid', full_name: 'Notification Bot' },
  /** Writes to new accounts. */
  welcome: { email: 'welcome-bot@chat.invalid', full_name: 'Welcome Bot' },
  /** Where mail arrives, what came by mail is from it; here it only has its place in the list. */
  mail: { email: 'emailgateway@chat.invalid', full_name: 'Email Gateway' },
} as const

const defineBot = (name: keyof typeof systemBots) =>
  defineCache(`${name}-bot`, (db) =>
    db
      .selectFrom('user')
      .select(userColumns)
      .where('is_system_bot', '=', 1)
      .where('email_key', '=', systemBots[name].email)
      .executeTakeFirstOrThrow(),
  )

/** The account in whose name the server itself sends messages. */
export const systemBot = defineBot('notification')
/** The account that welcomes new ones. */
export const welcomeBot = defineBot('welcome')

/** The same context on behalf of the server. */
export async function asSystemBot(tx: SystemTx): Promise<Tx>
export async function asSystemBot(context: Context): Promise<Caller>
export async function asSystemBot(context: Context): Promise<Caller> {
  return onBehalfOf(context, await systemBot.get(context))
}
