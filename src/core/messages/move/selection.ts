import * as v from 'valibot'
import { visibleTo } from '../../access/message-visibility.ts'
import type { Message } from '../../access/messages.ts'
import { seconds } from '../../clock.ts'
import type { Tx } from '../../context.ts'
import { ChatError } from '../../errors.ts'
import { moveLimit } from './rules.ts'

export const propagateMode = v.picklist(['change_one', 'change_later', 'change_all'])
export type PropagateMode = v.InferOutput<typeof propagateMode>

export type MovedMessage = Pick<Message, 'id' | 'conversation_id' | 'topic_id' | 'sender_id' | 'sent_at'>

/** The messages of its topic that move with this one: of those the mover can see, oldest first. */
export async function messagesToMove(tx: Tx, message: Message, mode: PropagateMode): Promise<MovedMessage[]> {
  if (mode === 'change_one') return [message]
  let query = tx.db
    .selectFrom('message')
    .select(['id', 'conversation_id', 'topic_id', 'sender_id', 'sent_at'])
    .where('topic_id', '=', message.topic_id)
    .where((eb) => visibleTo(eb, tx.user))
    .orderBy('id')
  if (mode === 'change_later') query = query.where('id', '>=', message.id)
  return query.execute()
}

/** Throws, and says how far the mover may go, where a whole topic is older than they may move. */
export async function requireAllMovable(tx: Tx, moved: readonly MovedMessage[], toOtherStream: boolean): Promise<void> {
  const limit = await moveLimit(tx, toOtherStream)
  if (limit === null) return
  const now = seconds(tx.chat.clock)
  const allowed = moved.filter((message) => now - message.sent_at <= limit)
  if (allowed.length === moved.length) return
  throw new ChatError(
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    `You only have permission to move the ${allowed.length}/${moved.length} most recent messages in this topic.`,
    {
      first_message_id_allowed_to_move: allowed[0]?.id ?? null,
      total_messages_in_topic: moved.length,
      total_messages_allowed_to_move: allowed.length,
    },
  )
}
