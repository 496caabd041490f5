import type { SystemTx } from '../kernel/context.ts'
import type { User } from '../kernel/user.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { settingsOf } from '../settings/organization.ts'

/** Emails a new member the address of the chat, unless the organization sends no welcome emails. */
export async function emailWelcome(tx: SystemTx, { id: user_id }: User): Promise<void> {
  if (!(await settingsOf(tx)).send_welcome_emails) return
  await enqueueMail(tx, { kind: 'welcome', once: `welcome ${user_id}`, user_id })
}
