import { atTime } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { defineService } from '../../kernel/service.ts'

/** Revokes limited keys when they expire, so that waiting polls of theirs end then. */
export interface TokenEnds {
  /** Notes that a key is in use that expires at this time, in seconds since 1970. */
  note(expires_at: number): void
  stop(): void
}

export const tokenEndsOf = defineService<TokenEnds>('ends of limited keys')

/**
 * Waits for the next end of a key that this process has seen. No other key can have a poll here.
 *
 * @param end revokes the keys that have expired
 */
export function watchTokenEnds(chat: Chat, end: () => Promise<void>): TokenEnds {
  const { clock } = chat
  const times = new Set<number>()
  let waiting: { time: number; cancel: () => void } | undefined

  function wait(): void {
    const next = Math.min(...times)
    if (times.size === 0 || waiting?.time === next) return
    waiting?.cancel()
    waiting = { time: next, cancel: atTime(clock, next * 1000, due) }
  }
  function due(): void {
    waiting = undefined
    for (const time of times) if (time * 1000 <= clock.now()) times.delete(time)
    wait()
    end().catch((error) => chat.options.logger.error({ err: error }, 'expired API keys could not be revoked'))
  }
  return {
    note(expires_at) {
      if (times.has(expires_at)) return
      times.add(expires_at)
      wait()
    },
    stop: () => waiting?.cancel(),
  }
}
