import { type Narrow, sentNarrow } from '../../../src/client/index.ts'
import type { Session } from '../state/session.ts'
import { conversationIn } from './conversations.ts'
import { readMarks } from './read-marks.ts'
import { unreadIn, unreadOf } from './unread.ts'

/** Messages marked with one request, and with one request if the server looks for them. */
const AT_ONCE = 1000
const MOST_AFTER = 5000

/** Marks messages as read. Returns a function that undoes it. */
export async function markRead(session: Session, ids: readonly number[]): Promise<() => Promise<void>> {
  await flag(session, 'add', ids)
  return async () => {
    await readMarks(session).keepUnread(ids)
    await flag(session, 'remove', ids)
  }
}

/** Marks a message and all later ones in a narrow as unread, whether they are known here or not. */
export async function markUnreadFrom(session: Session, narrow: Narrow, from: number): Promise<void> {
  const { spans } = session.messages.feed(narrow)
  // Includes messages that seem unread here, because the event that marks them may still be on its way.
  const known = spans.flatMap(({ ids }) => ids).filter((id) => id >= from)
  await readMarks(session).keepUnread(known)
  await flag(session, 'remove', known)
  const range = { num_before: 0, num_after: MOST_AFTER, narrow: sentNarrow(narrow) }
  let anchor = spans.find(({ ids }) => ids.includes(from))?.to ?? from
  while (anchor < Number.POSITIVE_INFINITY) {
    const answer = await session.client.updateFlagsForNarrow({ ...range, anchor, op: 'remove', flag: 'read' })
    anchor = answer.found_newest ? Number.POSITIVE_INFINITY : answer.last_processed_id!
  }
}

async function flag({ client }: Session, op: 'add' | 'remove', ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE)
    await client.updateFlags({ messages: ids.slice(from, from + AT_ONCE), op, flag: 'read' })
}

/** Returns the unread messages of a narrow if the state knows them: of a conversation, a stream, or everything. */
export function unreadIds(session: Session, narrow: Narrow): readonly number[] | undefined {
  const conversation = conversationIn(narrow, session.state.user_id)
  if (conversation) return unreadIn(session, conversation)
  const threads = [...unreadOf(session).value.threads.values()]
  if (narrow.length === 0) return threads.flatMap(({ ids }) => ids)
  const [first] = narrow
  if (narrow.length > 1 || first?.operator !== 'channel' || first.negated) return undefined
  return threads.flatMap(({ conversation: one, ids }) =>
    one.type === 'stream' && one.stream_id === first.operand ? ids : [],
  )
}
