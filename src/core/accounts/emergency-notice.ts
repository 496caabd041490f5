import { isSet } from '../../storage/index.ts'
import type { SystemTx } from '../kernel/context.ts'
import { roles } from '../kernel/roles.ts'
import { type User, userColumns } from '../kernel/user.ts'
import { silentMention } from '../messages/notices/words.ts'
import { sendDirect } from '../messages/send/post-message.ts'
import { asSystemBot } from '../users/system-bot.ts'
import { passwordRule } from './providers/sign-on.ts'

/** Tells the other owners that somebody signed in to an emergency account without the provider that others must use. */
export async function tellOfEmergency(tx: SystemTx, user: User): Promise<void> {
  const { allowed, limited } = await passwordRule(tx, user.delivery_email)
  if (!allowed || !limited) return
  const owners = await tx.db
    .selectFrom('user')
    .select(userColumns)
    .where('role', '=', roles.owner)
    .where('is_active', '=', isSet)
    .where('bot_type', 'is', null)
    .where('id', '!=', user.id)
    .execute()
  const content = `${silentMention(user)} signed in without your identity provider. It is one of the emergency accounts that can. If you didn't expect this, look at the audit log, and revoke its sessions.`
  const server = await asSystemBot(tx)
  for (const owner of owners) await sendDirect(server, [owner], content)
}
