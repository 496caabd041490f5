import type { Selectable } from 'kysely'
import { isUnset, type ScheduledMessageTable, StorageError, statement } from '../../../storage/index.ts'
import { participantsOf } from '../../access/messages.ts'
import { leads } from '../../events/log/follow-peers.ts'
import { atTime, seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { callerOf, contextOf, organizationIsOpen, type Tx } from '../../kernel/context.ts'
import { badRequest, isChatError } from '../../kernel/errors.ts'
import { isBot } from '../../kernel/roles.ts'
import { storeOf } from '../../kernel/store.ts'
import { findUser } from '../../kernel/user.ts'
import { postOrHold } from '../send/hold.ts'
import { prepare } from '../send/prepare.ts'
import { resolveRecipient } from '../send/recipient.ts'
import type { Scheduler } from '../send/schedule.ts'
import { emitScheduledDelivered } from '../send/scheduled-view.ts'
import { deliverNextReminder } from './deliver-reminders.ts'
import { markFailed } from './overdue.ts'

/** Delivers scheduled messages and reminders when they are due, starting with those that came due while the server was down. */
export function startScheduler(chat: Chat): Scheduler {
  let cancel = () => {}
  let stopped = false
  let running = Promise.resolve()
  const run = async () => {
    if (stopped || !leads(chat)) return
    cancel()
    try {
      const next = await deliverDue(chat)
      if (!stopped) cancel = atTime(chat.clock, (next ?? seconds(chat.clock) + 60) * 1000, wake)
    } catch (error) {
      if (stopped) return
      chat.options.logger.error({ err: error }, 'delivering scheduled messages failed')
      cancel = chat.clock.after(60_000, wake)
    }
  }
  const wake = () => {
    running = running.then(run)
  }
  return {
    wake,
    settled: () => running,
    stop() {
      stopped = true
      cancel()
    },
  }
}

const firstScheduled = statement((db, _: object) =>
  db
    .selectFrom('scheduled_message')
    .selectAll()
    .where('failed', '=', isUnset)
    .orderBy('deliver_at')
    .orderBy('id')
    .limit(1),
)

/**
 * Delivers messages that are due. Returns when the next one is due, if there is one. All wait while the organization is
 * deactivated.
 */
async function deliverDue(chat: Chat): Promise<number | undefined> {
  const { db } = storeOf(chat)
  while (await organizationIsOpen.get(contextOf(chat))) {
    const reminder = await deliverNextReminder(chat)
    if (reminder === 'delivered') continue
    const [next] = await firstScheduled(db, {})
    if (!next || next.deliver_at > seconds(chat.clock)) return earlier(next?.deliver_at, reminder)
    await deliverOne(chat, next)
  }
  return undefined
}

const earlier = (a: number | undefined, b: number | undefined): number | undefined =>
  a === undefined || b === undefined ? (a ?? b) : Math.min(a, b)

/** The message is inserted and its schedule deleted in one commit: it is sent exactly once, even across a crash. */
async function deliverOne(chat: Chat, due: Selectable<ScheduledMessageTable>): Promise<void> {
  const sender = await findUser(storeOf(chat).db, due.sender_id)
  try {
    if (!sender?.is_active) throw badRequest('The sender is deactivated.')
    const caller = callerOf(chat, sender, { client: due.client })
    const prepared = await prepare(caller, due.content)
    await caller.write(async (tx) => {
      const gone = await tx.db
        .deleteFrom('scheduled_message')
        .where('id', '=', due.id)
        .returning('id')
        .executeTakeFirst()
      if (!gone) return
      // One that a moderator must approve leaves the list, too, and waits.
      await postOrHold(tx, await recipientOfRow(tx, due), prepared, {
        read_by_sender: due.read_by_sender === null ? !isBot(tx.user) : due.read_by_sender === 1,
      })
      await emitScheduledDelivered(tx, due)
    })
  } catch (error) {
    // The message isn't the cause. It is sent when the disk has space again.
    if (error instanceof StorageError) throw error
    // The organization was just deactivated, so the message waits.
    if (isChatError(error) && error.code === 'REALM_DEACTIVATED') return
    const failure_message = isChatError(error) ? error.message : 'Message could not be sent'
    if (!isChatError(error)) chat.options.logger.error({ id: due.id, err: error }, 'scheduled message failed')
    // Not on behalf of the sender, who may be deactivated.
    await contextOf(chat).write((tx) => markFailed(tx, due.id, failure_message))
  }
}

/**
 * Resolves and checks the recipient as if the message were sent now, because much may have changed since it was
 * scheduled.
 */
async function recipientOfRow(tx: Tx, { conversation_id, topic }: Selectable<ScheduledMessageTable>) {
  return topic === null
    ? resolveRecipient(tx, { type: 'private', to: await participantsOf(tx.db, conversation_id), topic })
    : resolveRecipient(tx, { type: 'stream', to: conversation_id, topic })
}
