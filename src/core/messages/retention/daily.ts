import type { Chat } from '../../chat.ts'
import { leads } from '../../event-log/follow-peers.ts'
import { expireMessages } from './expire.ts'

const FIRST_MS = 600_000
const DAY_MS = 86_400_000

/** Deletes expired messages ten minutes after the start and then daily; returns what stops it. */
export function startExpiring(chat: Chat): () => void {
  let cancel = () => {}
  let stopped = false
  const after = (ms: number) => {
    cancel = chat.clock.after(ms, () => {
      const expiring = leads(chat) ? expireMessages(chat) : Promise.resolve()
      expiring
        .catch((error) => !stopped && chat.options.logger.error({ err: error }, 'deleting expired messages failed'))
        .finally(() => !stopped && after(DAY_MS))
    })
  }
  after(FIRST_MS)
  return () => {
    stopped = true
    cancel()
  }
}
