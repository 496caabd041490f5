import type { Message } from '../../access/messages.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { ChatError } from '../../kernel/errors.ts'
import { pacer } from '../../kernel/slices.ts'
import { moveLimit } from './rules.ts'
import { type Selection, selected } from './selection.ts'

/** Messages counted in one query. */
const PAGE = 1000

/** How many of a topic's messages, up to one, their mover sees, and how many of them are young enough. */
export interface Counted {
  readonly topic_id: number
  readonly limit: number
  readonly up_to: number
  readonly total: number
  readonly allowed: number
  /** The first one that is young enough. */
  readonly first: number | undefined
}

/**
 * Counts before the write, because counting a large topic in one step would delay others. Returns undefined if there is
 * nothing to count.
 */
export async function countMovable(
  caller: Caller,
  { topic_id, conversation_id }: Pick<Message, 'topic_id' | 'conversation_id'>,
  stream_id: number | null | undefined,
): Promise<Counted | undefined> {
  const limit = await moveLimit(caller, stream_id != null && stream_id !== conversation_id)
  if (limit === null || topic_id === null) return undefined
  return countOn(caller, none(topic_id, limit))
}

const none = (topic_id: number, limit: number): Counted => ({
  topic_id,
  limit,
  up_to: 0,
  total: 0,
  allowed: 0,
  first: undefined,
})

/** Counts the messages after those that are counted. In a write it yields to nobody. */
async function countOn(caller: Caller, before: Counted): Promise<Counted> {
  const turn = pacer(caller)
  let counted = before
  for (;;) {
    await turn()
    const page = await pageAfter(caller, counted)
    counted = {
      ...page,
      total: counted.total + page.total,
      allowed: counted.allowed + page.allowed,
      first: counted.first ?? page.first,
    }
    if (page.total < PAGE) return counted
  }
}

/** Throws where a whole topic has messages that are too old for the mover, and says how many may be moved. */
export async function requireAllMovable(
  tx: Tx,
  { topic_id }: Selection,
  toOtherStream: boolean,
  before: Counted | undefined,
): Promise<void> {
  const limit = await moveLimit(tx, toOtherStream)
  if (limit === null) return
  const isSame = before?.topic_id === topic_id && before.limit === limit
  const { total, allowed, first } = await countOn(tx, isSame ? before : none(topic_id, limit))
  if (allowed === total) return
  throw new ChatError(
    'MOVE_MESSAGES_TIME_LIMIT_EXCEEDED',
    `You only have permission to move the ${allowed}/${total} most recent messages in this topic.`,
    {
      first_message_id_allowed_to_move: first ?? null,
      total_messages_in_topic: total,
      total_messages_allowed_to_move: allowed,
    },
  )
}

async function pageAfter(caller: Caller, { topic_id, limit, up_to }: Counted): Promise<Counted> {
  const page = await selected(caller, { topic_id, first: up_to + 1, last: Number.MAX_SAFE_INTEGER })
    .select(['id', 'sent_at'])
    .orderBy('id')
    .limit(PAGE)
    .execute()
  const since = seconds(caller.chat.clock) - limit
  const young = page.filter(({ sent_at }) => sent_at >= since)
  return {
    topic_id,
    limit,
    up_to: page.at(-1)?.id ?? up_to,
    total: page.length,
    allowed: young.length,
    first: young[0]?.id,
  }
}
