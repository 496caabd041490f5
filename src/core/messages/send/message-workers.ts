import { leads } from '../../events/log/follow-peers.ts'
import { atTime } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf, organizationIsOpen } from '../../kernel/context.ts'
import { defineService } from '../../kernel/service.ts'

/** Follows the messages that are sent, in the background. Its steps are implemented on a higher floor. */
export interface MessageWorker {
  /** A message was sent, or it changed who is to get them. */
  wake(): void
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
  stop(): void
}

/** Posts messages to the receivers of outgoing webhooks. */
export const outgoingOf = defineService<MessageWorker>('outgoing webhooks')

/** Notifies browsers that no page is open in. */
export const webPushOf = defineService<MessageWorker>('web push')

/** Deliveries under way, one at a time to each receiver. */
export interface Lanes {
  readonly underWay: ReadonlyMap<number, unknown>
  /** Aborted when the worker stops. */
  readonly signal: AbortSignal
  start(receiver: number, deliver: Promise<void>): void
}

export interface MessageWorkerSteps {
  /** What it does, for the log. */
  name: string
  /** What a delivery that throws is in the log, and what its receiver is called there. */
  failure: string
  receiver: string
  /** Whether there is, or may be, something to deliver: asked after each commit. */
  isNeeded(): Promise<boolean>
  /** Stores what is to be delivered of new messages. */
  note(): Promise<void>
  /** Begins what is due. Returns when something else will be, in seconds since 1970. */
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
      // A reactivation wakes it.
      if (!(await organizationIsOpen.get(context))) return
      await steps.note()
      const next_at = await steps.startDue(lanes)
      if (next_at !== undefined) cancel = atTime(clock, next_at * 1000, wake)
    } catch (error) {
      if (signal.aborted) return
      options.logger.error({ err: error }, `noting messages for ${steps.name} failed`)
      cancel = clock.after(AFTER_FAILURE_MS, wake)
    }
  }

  function start(receiver: number, deliver: Promise<void>): void {
    const lane = deliver.then(
      () => {
        underWay.delete(receiver)
        // Its next one may be due later.
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
