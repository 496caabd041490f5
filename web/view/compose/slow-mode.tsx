import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Conversation } from '../../model/reading/conversations.ts'
import { sentInChannels } from '../../model/writing/sent-in-channels.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { inWords } from '../parts/durations.ts'
import { useSession } from '../session-context.ts'

const SECOND = 1000

/** How often the reader may write in a channel that is in slow mode, and when again. */
export function SlowMode({ conversation }: { conversation: Conversation }) {
  const session = useSession()
  const { streams, is_moderator } = session.read('streams', 'users')
  const stream_id = conversation.type === 'stream' ? conversation.stream_id : undefined
  const pause = streams.find((one) => one.stream_id === stream_id)?.slow_mode_seconds ?? 0
  const sentAt = sentInChannels(session).value.get(stream_id ?? 0) ?? 0
  const now = useSignal(Date.now())
  const end = sentAt + pause * SECOND
  const waits = pause > 0 && end > now.value
  useEffect(() => {
    now.value = Date.now()
    if (pause === 0 || end <= Date.now()) return undefined
    const timer = setInterval(() => {
      now.value = Date.now()
      if (end <= now.value) clearInterval(timer)
    }, SECOND)
    return () => clearInterval(timer)
  }, [end, pause])
  if (pause === 0 || is_moderator) return null
  return (
    <p class="quiet small slow-mode">
      {waits
        ? pieceTexts.slowMode.wait(inWords(Math.ceil((end - now.value) / SECOND)))
        : pieceTexts.slowMode.every(inWords(pause))}
    </p>
  )
}
