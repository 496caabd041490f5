import { leads } from '../../events/log/follow-peers.ts'
import { atTime } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf, organizationIsOpen } from '../../kernel/context.ts'
import { defineService } from '../../kernel/service.ts'

/** Follows the messages that are sent, in the background. Its steps are implemented on a higher floor. */
export interface MessageWorker {
  /** Call it after a message was sent, or its readers changed. */
  wake(): void
  /** Resolves when nothing is in progress. */
  settled(): Promise<void>
  stop(): void
}

/** Posts messages to outgoing webhooks. */
export const outgoingOf = defineService<MessageWorker>('outgoing webhooks')

/** Notifies browsers without an open page. */
export const webPushOf = defineService<MessageWorker>('web push')

/** Notifies mobile devices through the push service that the operator named. */
export const mobilePushOf = defineService<MessageWorker>('mobile push')

/** Sends email, once the server is set up to. */
export const mailWorkerOf = defineService<MessageWorker>('email')

/** Adds previews of links to messages. */
export interface LinkPreviews {
  /** Call it after a message with a link was sent or edited. */
  add(message_id: number): void
  /** Resolves when nothing is in progress. */
  settled(): Promise<void>
  stop(): Promise<void>
}
export const linkPreviewsOf = defineService<LinkPreviews>('link previews')

/** Deliveries in progress, one at a time for each receiver. */
export interface Lanes {
  readonly underWay: ReadonlyMap<number, unknown>
  /** Aborted when the worker stops. */
  readonly signal: AbortSignal
  start(receiver: number, deliver: Promise<void>): void
}

export interface MessageWorkerSteps {
  /** Its purpose, for the log. */
  name: string
  /** The log's name for a failed delivery and for its receiver. */
  failure: string
  receiver: string
  /** Returns whether there may be something to deliver. Called after each commit. */
  isNeeded(): Promise<boolean>
  /** Stores the deliveries of new messages. */
  note(): Promise<void>
  /** Starts deliveries that are due. Returns when the next one is due, in seconds since 1970. */
  startDue(lanes: Lanes): Promise<number | undefined>
}

const AFTER_FAILURE_MS = 60_000

export function startMessageWorker(chat: Chat, steps: MessageWorkerSteps): MessageWorker {
  const { clock, options } = chat
  const context = contextOf(chat)
  const abort = new AbortController()
  const { signal } = abort
  const underWay = new Map<number, Promise<void>>()
  const lanes: Lanes = { underWay, signal, start }
  let cancel = () => {}
  let running: Promise<void> = Promise.resolve()
  let scheduled = false

  async function run(): Promise<void> {
    scheduled = false
    if (signal.aborted || !leads(chat)) return
    try {
      if (!(await steps.isNeeded())) return
      cancel()
      // A reactivation wakes it again.
      if (!(await organizationIsOpen.get(context))) return
      await steps.note()
      const next_at = await steps.startDue(lanes)
      if (next_at !== undefined) cancel = atTime(clock, next_at * 1000, wake)
    } catch (error) {
      if (signal.aborted) return
      options.logger.error({ err: error }, `queueing messages for ${steps.name} failed`)
      cancel = clock.after(AFTER_FAILURE_MS, wake)
    }
  }

  function start(receiver: number, deliver: Promise<void>): void {
    const lane = deliver.then(
      () => {
        underWay.delete(receiver)
        // The receiver's next delivery may be due later.
        if (!signal.aborted) wake()
      },
      (error) => {
        underWay.delete(receiver)
        if (signal.aborted) return
        options.logger.error({ err: error, [steps.receiver]: receiver }, steps.failure)
        clock.after(AFTER_FAILURE_MS, wake)
      },
    )
    underWay.set(receiver, lane)
  }

  function wake(): void {
    if (scheduled) return
    scheduled = true
    running = running.then(run)
  }

  return {
    wake,
    async settled() {
      let latest: Promise<void>
      do {
        latest = running
        await latest
        await Promise.all(underWay.values())
        // A delivery that just ended may have started another look.
      } while (scheduled || underWay.size > 0 || running !== latest)
    },
    stop() {
      abort.abort()
      cancel()
    },
  }
}
