import type { Selectable } from 'kysely'
import { isUnset, type ReminderTable, statement } from '../../../storage/index.ts'
import { accessMessages } from '../../access/messages.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { callerOf, contextOf, type SystemTx } from '../../kernel/context.ts'
import { storeOf } from '../../kernel/store.ts'
import { findUser } from '../../kernel/user.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { sendPrepared } from '../send/post-message.ts'
import { prepare } from '../send/prepare.ts'
import { reminderWithoutMessage } from './reminder-text.ts'
import { emitReminderRemoved } from './reminders.ts'

const firstReminder = statement((db, _: object) =>
  db.selectFrom('reminder').selectAll().where('failed', '=', isUnset).orderBy('deliver_at').orderBy('id').limit(1),
)

/** Sends the next reminder if it is due, or returns its time; undefined if there is none. */
export async function deliverNextReminder(chat: Chat): Promise<'delivered' | number | undefined> {
  const [next] = await firstReminder(storeOf(chat).db, {})
  if (!next || next.deliver_at > seconds(chat.clock)) return next?.deliver_at
  await deliver(chat, next)
  return 'delivered'
}

/** The message is inserted and the reminder deleted in one commit: it is sent exactly once, even across a crash. */
async function deliver(chat: Chat, due: Selectable<ReminderTable>): Promise<void> {
  const context = contextOf(chat)
  const user = await findUser(context.db, due.user_id)
  if (!user?.is_active) return context.write((tx) => fail(tx, due.id))
  const owner = callerOf(chat, user)
  const [message] = await accessMessages(owner, [due.message_id])
  const prepared = await prepare(owner, message ? due.content : reminderWithoutMessage(due.note))
  await context.write(async (tx) => {
    const gone = await tx.db.deleteFrom('reminder').where('id', '=', due.id).returning('id').executeTakeFirst()
    if (!gone) return
    await sendPrepared(await asSystemBot(tx), [user], prepared)
    await emitReminderRemoved(tx, due)
  })
}

/** Keeps the reminder of a deactivated account, marked as not sent. */
const fail = async ({ db }: SystemTx, id: number): Promise<void> =>
  void (await db.updateTable('reminder').set({ failed: 1 }).where('id', '=', id).execute())
