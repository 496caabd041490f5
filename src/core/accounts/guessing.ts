import { seconds } from '../kernel/base/clock.ts'
import type { SystemTx } from '../kernel/context.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { settingsOfUser } from '../settings/user.ts'

const HOUR = 3600
const DAY = 24 * HOUR
/** Failed sign-ins within an hour after which the owner gets an email. People mistype a few times. */
const MANY = 10

/** Emails the owner of an account, at most once a day, if many sign-ins to it failed, from whatever addresses. */
export async function warnOfGuessing(tx: SystemTx, user_id: number | null): Promise<void> {
  if (user_id === null) return
  const now = seconds(tx.chat.clock)
  const rows = await tx.db
    .selectFrom('audit')
    .select('count')
    .where('subject_kind', '=', 'user')
    .where('subject_id', '=', user_id)
    .where('action', '=', 'signIn')
    .where('outcome', '=', 'failed')
    .where('at', '>', now - HOUR)
    .execute()
  const count = rows.reduce((sum, row) => sum + row.count, 0)
  if (count < MANY || !(await settingsOfUser(tx, user_id)).enable_login_emails) return
  const once = `guessing ${user_id} ${Math.floor(now / DAY)}`
  await enqueueMail(tx, { kind: 'guessing', once, user_id, data: { count }, lasts: DAY })
}
