import type { Chat } from '../../kernel/chat.ts'
import { contextOf } from '../../kernel/context.ts'
import type { MessageWorker } from '../../messages/send/message-workers.ts'
import { sendsMail } from '../mail-service.ts'
import type { startMail } from './worker.ts'

/**
 * Sends the emails of the outbox as soon as the server is set up to send email. Until then, what sends them isn't loaded.
 *
 * @param start - what sends them, if it is loaded already
 */
export function startMailWhenSetUp(chat: Chat, start?: typeof startMail): MessageWorker {
  const context = contextOf(chat)
  let worker = start?.(chat)
  let looking: Promise<void> = Promise.resolve()
  let isWaiting = false
  let isStopped = false

  async function look(): Promise<void> {
    isWaiting = false
    if (worker || isStopped || !(await sendsMail(context))) return
    const { startMail } = await import('./worker.ts')
    if (isStopped) return
    worker = startMail(chat)
    worker.wake()
  }

  return {
    wake() {
      if (worker) return worker.wake()
      if (isWaiting || isStopped) return
      isWaiting = true
      looking = looking.then(look).catch((error) => {
        if (!isStopped) chat.options.logger.error({ err: error }, 'the sending of email could not be started')
      })
    },
    async settled() {
      while (isWaiting) await looking
      await looking
      await worker?.settled()
    },
    stop() {
      isStopped = true
      worker?.stop()
    },
  }
}
