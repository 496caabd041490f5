import { leads } from '../../events/log/follow-peers.ts'
import { atTime } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { expireMessages } from './expire.ts'
import { updateRecentActivity } from './inactive-streams.ts'

const FIRST_MS = 600_000
const DAY_MS = 86_400_000

/**
 * Deletes expired messages and updates which streams are active, ten minutes after the start and then daily. Returns a
 * function that stops it.
 *
 * @param more - daily work of other nouns
 */
export function startExpiring(chat: Chat, more: readonly ((chat: Chat) => Promise<void>)[] = []): () => void {
  let cancel = () => {}
  let stopped = false
  const after = (ms: number) => {
    cancel = atTime(chat.clock, chat.clock.now() + ms, () => {
      dailyRound(chat, more)
        .catch((error) => !stopped && chat.options.logger.error({ err: error }, 'the daily cleanup failed'))
        .finally(() => !stopped && after(DAY_MS))
    })
  }
  after(FIRST_MS)
  return () => {
    stopped = true
    cancel()
  }
}

async function dailyRound(chat: Chat, more: readonly ((chat: Chat) => Promise<void>)[]): Promise<void> {
  if (!leads(chat)) return
  await expireMessages(chat)
  await updateRecentActivity(chat)
  for (const remove of more) await remove(chat)
}
