import { defineCache } from '../kernel/cache.ts'
import { type Caller, type Context, onBehalfOf, type SystemTx, type Tx } from '../kernel/context.ts'
import { type User, userColumns } from '../kernel/user.ts'

/** The server's own accounts, by purpose. `register` lists them under `cross_realm_bots`. */
export const systemBots = {
  /** Sends notices. */
  notification: { email: 'notification-bot@chat.invalid', full_name: 'Notification Bot' },
  /** Writes to new accounts. */
  welcome: { email: 'welcome-bot@chat.invalid', full_name: 'Welcome Bot' },
  /** Posts email that arrives at the addresses of channels. */
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

/** The account in whose name the server sends notices. */
export const systemBot = defineBot('notification')
/** The account that welcomes new users. */
export const welcomeBot = defineBot('welcome')
/** The account that posts email. */
export const mailBot = defineBot('mail')

/** Whether it is the account that posts email. Strangers write that email, so it isn't trusted like the others. */
export const isMailGateway = ({ is_system_bot, email }: Pick<User, 'is_system_bot' | 'email'>): boolean =>
  is_system_bot === 1 && email === systemBots.mail.email

/** The same context on behalf of the server. */
export async function asSystemBot(tx: SystemTx): Promise<Tx>
export async function asSystemBot(context: Context): Promise<Caller>
export async function asSystemBot(context: Context): Promise<Caller> {
  return onBehalfOf(context, await systemBot.get(context))
}
