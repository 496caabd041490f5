import { defineService } from '../../service.ts'

/** Follows the messages that are sent, in the background. It is implemented on a higher floor. */
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
