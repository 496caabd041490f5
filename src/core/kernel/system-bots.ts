import type { User } from './user.ts'

/** The server's own accounts, by purpose. `register` lists them under `cross_realm_bots`. */
export const systemBots = {
  /** Sends notices. */
  notification: { email: 'notification-bot@chat.invalid', full_name: 'Notification Bot' },
  /** Writes to new accounts. */
  welcome: { email: 'welcome-bot@chat.invalid', full_name: 'Welcome Bot' },
  /** Posts email that arrives at the addresses of channels. */
  mail: { email: 'emailgateway@chat.invalid', full_name: 'Email Gateway' },
} as const

/** Whether it is the account that posts email. Strangers write that email, so it isn't trusted like the others. */
export const isMailGateway = ({ is_system_bot, email }: Pick<User, 'is_system_bot' | 'email'>): boolean =>
  is_system_bot === 1 && email === systemBots.mail.email
