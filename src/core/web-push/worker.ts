import { seconds } from '../base/clock.ts'
import type { Chat } from '../chat.ts'
import { contextOf, organizationIsOpen } from '../context.ts'
import { leads } from '../event-log/follow-peers.ts'
import type { MessageWorker } from '../messages/send/message-workers.ts'
import { storeOf } from '../store.ts'
import { deliverNext } from './deliver.ts'
import { noteMessages } from './note-messages.ts'
import { notifiedFrom } from './subscriptions.ts'

/** Notifications under way at once, one to each browser. */
const AT_ONCE = 20
/** A timer may not wait for years; look again at least this often. */
const MAX_WAIT_SECONDS = 3600
/** What a power failure takes back is noted again: how far it came goes with it. */
const RELAXED = { relaxed: true }

/** Follows the messages, and notifies browsers of them. */
export function startWebPush(chat: Chat): MessageWorker {
  const abort = new AbortController()
  const context = contextOf(chat)
  /** By subscription. */
  const underWay = new Map<number, Promise<void>>()
  let cancel = () => {}
  let running: Promise<void> = Promise.resolve()
  let scheduled = false

  async function run(): Promise<void> {
    scheduled = false
    if (abort.signal.aborted || !leads(chat)) return
    try {
      if ((await notifiedFrom.get(context)) === undefined) return
      cancel()
      // A reactivation wakes it.
      if (!(await organizationIsOpen.get(context))) return
      while (await context.write(noteMessages, RELAXED));
      await startDue()
    } catch (error) {
      if (abort.signal.aborted) return
      chat.options.logger.error({ err: error }, 'noting messages for web push failed')
      cancel = chat.clock.after(60_000, wake)
    }
  }

  /** Begins with those who wait longest, one notification to each browser at a time. */
  async function startDue(): Promise<void> {
    const { db, dialect } = storeOf(chat)
    const now = seconds(chat.clock)
    const waiting = await db
      .selectFrom('web_push_delivery')
      .select((eb) => ['subscription_id', eb.fn.min('next_at').as('next_at')])
      .where('subscription_id', 'not in', dialect.idsIn([...underWay.keys()]))
      .groupBy('subscription_id')
      .orderBy('next_at')
      .limit(AT_ONCE)
      .execute()
    for (const { subscription_id, next_at } of waiting) {
      if (next_at > now) {
        cancel = chat.clock.after(Math.min(next_at - now, MAX_WAIT_SECONDS) * 1000, wake)
        return
      }
      if (underWay.size < AT_ONCE) start(subscription_id)
    }
  }

  function start(subscription_id: number): void {
    const work = deliverNext(chat, subscription_id, abort.signal).then(
      () => {
        underWay.delete(subscription_id)
        if (!abort.signal.aborted) wake()
      },
      (error) => {
        underWay.delete(subscription_id)
        if (abort.signal.aborted) return
        chat.options.logger.error({ err: error, subscription_id }, 'notifying a browser failed')
        chat.clock.after(60_000, wake)
      },
    )
    underWay.set(subscription_id, work)
  }

  function wake(): void {
    if (scheduled) return
    scheduled = true
    running = running.then(run)
  }

  return {
    wake,
    async settled() {
      do {
        await running
        await Promise.all(underWay.values())
      } while (scheduled || underWay.size > 0)
    },
    stop() {
      abort.abort()
      cancel()
    },
  }
}
