import { isUnset } from '../../storage/index.ts'
import { seconds } from '../base/clock.ts'
import { outgoingBots } from '../bot-profiles/outgoing-bots.ts'
import type { Chat } from '../chat.ts'
import { contextOf, organizationIsOpen } from '../context.ts'
import { leads } from '../event-log/follow-peers.ts'
import type { MessageWorker } from '../messages/send/message-workers.ts'
import { storeOf } from '../store.ts'
import { deliver } from './deliver.ts'
import { noteMessages } from './triggers.ts'

/** A timer may not wait for years; look again at least this often. */
const MAX_WAIT_SECONDS = 3600
/** What a power failure takes back is noted again: how far it came goes with it. */
const RELAXED = { relaxed: true }

/** Follows the messages, and posts what outgoing webhooks are to get: one at a time to each, to all of them at once. */
export function startOutgoing(chat: Chat): MessageWorker {
  const abort = new AbortController()
  /** What is under way, by bot. */
  const lanes = new Map<number, Promise<void>>()
  let cancel = () => {}
  let running: Promise<void> = Promise.resolve()
  let scheduled = false
  /** Nothing is left to post. Only where there are such bots can messages add something. */
  let isIdle = false
  const context = contextOf(chat)

  async function run(): Promise<void> {
    scheduled = false
    if (abort.signal.aborted || !leads(chat)) return
    try {
      const hasBots = (await outgoingBots.get(context)).length > 0
      if (isIdle && !hasBots) return
      cancel()
      // A reactivation wakes it.
      if (!(await organizationIsOpen.get(context))) return
      if (hasBots) while (await context.write(noteMessages, RELAXED));
      await startLanes()
    } catch (error) {
      if (abort.signal.aborted) return
      chat.options.logger.error({ err: error }, 'noting messages for outgoing webhooks failed')
      cancel = chat.clock.after(60_000, wake)
    }
  }

  async function startLanes(): Promise<void> {
    const rows = await storeOf(chat)
      .db.selectFrom('outgoing_delivery')
      .select((eb) => ['bot_id', eb.fn.min('next_at').as('next_at')])
      .where('failed', '=', isUnset)
      .groupBy('bot_id')
      .execute()
    isIdle = rows.length === 0
    const now = seconds(chat.clock)
    for (const { bot_id, next_at } of rows) if (next_at <= now && !lanes.has(bot_id)) startLane(bot_id)
    const later = rows.flatMap(({ next_at }) => (next_at > now ? [next_at] : []))
    if (later.length > 0) {
      cancel = chat.clock.after(Math.min(Math.min(...later) - now, MAX_WAIT_SECONDS) * 1000, wake)
    }
  }

  function startLane(bot_id: number): void {
    const lane = deliverAll(bot_id).then(
      () => {
        lanes.delete(bot_id)
        // Its next one may be due later.
        if (!abort.signal.aborted) wake()
      },
      (error) => {
        lanes.delete(bot_id)
        if (abort.signal.aborted) return
        chat.options.logger.error({ err: error, bot_id }, 'an outgoing webhook failed')
        chat.clock.after(60_000, wake)
      },
    )
    lanes.set(bot_id, lane)
  }

  async function deliverAll(bot_id: number): Promise<void> {
    while (!abort.signal.aborted && leads(chat) && (await organizationIsOpen.get(context))) {
      const next = await storeOf(chat)
        .db.selectFrom('outgoing_delivery')
        .selectAll()
        .where('bot_id', '=', bot_id)
        .where('failed', '=', isUnset)
        .where('next_at', '<=', seconds(chat.clock))
        .orderBy('next_at')
        .orderBy('id')
        .limit(1)
        .executeTakeFirst()
      if (!next) return
      await deliver(chat, next, abort.signal)
    }
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
        await Promise.all(lanes.values())
      } while (scheduled || lanes.size > 0)
    },
    stop() {
      abort.abort()
      cancel()
    },
  }
}
