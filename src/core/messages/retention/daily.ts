import { leads } from '../../events/log/follow-peers.ts'
import { atTime } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { expireMessages } from './expire.ts'
import { updateRecentActivity } from './inactive-streams.ts'

const FIRST_MS = 600_000
const DAY_MS = 86_400_000

/** Deletes expired messages, and sees which streams are still active, ten minutes after the start and then daily; returns what stops it. */
export function startExpiring(chat: Chat): () => void {
  let cancel = () => {}
  let stopped = false
  const after = (ms: number) => {
    cancel = atTime(chat.clock, chat.clock.now() + ms, () => {
      dailyRound(chat)
        .catch((error) => !stopped && chat.options.logger.error({ err: error }, 'the daily round failed'))
        .finally(() => !stopped && after(DAY_MS))
    })
  }
  after(FIRST_MS)
  return () => {
    stopped = true
    cancel()
  }
}

async function dailyRound(chat: Chat): Promise<void> {
  if (!leads(chat)) return
  await expireMessages(chat)
  await updateRecentActivity(chat)
}
