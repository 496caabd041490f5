import type { Narrow } from '../../../src/client/index.ts'
import type { Session } from '../state/session.ts'
import { conversationIn } from './conversations.ts'
import { readMarks } from './read-marks.ts'
import { unreadIn, unreadOf } from './unread.ts'

/** So many are marked with one request. */
const AT_ONCE = 1000

/** Marks messages as read. Answers what takes it back. */
export async function markRead(session: Session, ids: readonly number[]): Promise<() => Promise<void>> {
  await flag(session, 'add', ids)
  return async () => {
    await readMarks(session).keepUnread(ids)
    await flag(session, 'remove', ids)
  }
}

async function flag({ client }: Session, op: 'add' | 'remove', ids: readonly number[]): Promise<void> {
  for (let from = 0; from < ids.length; from += AT_ONCE)
    await client.updateFlags({ messages: ids.slice(from, from + AT_ONCE), op, flag: 'read' })
}

/** The unread messages of a narrow, where the state knows them: of a conversation, a stream, or of everything. */
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
