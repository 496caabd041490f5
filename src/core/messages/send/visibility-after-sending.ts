import { after, nextTurn, type Soon } from '../../../storage/index.ts'
import type { Chat } from '../../kernel/chat.ts'
import { contextOf, type Tx } from '../../kernel/context.ts'
import { bits } from '../../read-state/flag-bits.ts'
import type { AccessedStream } from '../../streams/access.ts'
import { hasMuted, raiseAutomatically } from '../../streams/automatic-visibility.ts'
import { followMentioned } from '../../streams/user-topics.ts'

/**
 * With this many mentions, a separate write makes the users follow the topic, because the message's own write is long
 * enough.
 */
const MANY = 1000
const PART = 10_000

interface Topic {
  stream_id: number
  name: string
}

/**
 * Follows or unmutes the topic of a new message for its sender and the users it mentions, according to their settings.
 */
export function visibilityAfterSending(
  tx: Tx,
  { stream, name, isNew }: { stream: AccessedStream; name: string; isNew: boolean },
  flagsByUser: ReadonlyMap<number, number>,
): Soon<void> {
  const topic = { stream_id: stream.id, name }
  return after(followForMentioned(tx, topic, flagsByUser), () =>
    raiseAutomatically(tx, isNew ? 'begins' : 'sends', {
      isMuted: () => stream.muted ?? hasMuted(tx, stream.id),
      topic: () => topic,
    }),
  )
}

function followForMentioned(tx: Tx, topic: Topic, flagsByUser: ReadonlyMap<number, number>): Soon<void> {
  if (flagsByUser.size === 0) return
  const mentioned = [...flagsByUser].filter(([, flags]) => flags & bits.mentioned).map(([user_id]) => user_id)
  if (mentioned.length > MANY) tx.afterCommit(() => void followLater(tx.chat, topic, mentioned))
  else if (mentioned.length > 0) return followMentioned(tx, topic, mentioned)
}

async function followLater(chat: Chat, topic: Topic, mentioned: readonly number[]): Promise<void> {
  const context = contextOf(chat)
  try {
    for (let start = 0; start < mentioned.length; start += PART) {
      // Lets waiting writes of others run first.
      await nextTurn()
      await context.write((tx) => followMentioned(tx, topic, mentioned.slice(start, start + PART)))
    }
  } catch (error) {
    chat.options.logger.error({ err: error }, 'could not follow a topic after a mention')
  }
}
