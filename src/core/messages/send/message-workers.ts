import { defineService } from '../../service.ts'

/** Posts messages to the receivers of outgoing webhooks. It is implemented on a higher floor. */
export interface OutgoingWorker {
  /** A message was sent, or a bot changed. */
  wake(): void
  /** Resolves when nothing is under way. */
  settled(): Promise<void>
  stop(): void
}

export const outgoingOf = defineService<OutgoingWorker>('outgoing webhooks')
