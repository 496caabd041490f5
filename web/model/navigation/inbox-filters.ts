import { conversationKey } from '../reading/conversations.ts'
import { followsOf, type UnreadThread } from '../reading/unread.ts'
import type { Session } from '../state/session.ts'
import type { Shows } from './inbox.ts'
import { ownConversations } from './own-conversations.ts'

/** Everything in the inbox is unread, so there is no filter for that. */
export const inboxFilters = ['mentions', 'participated', 'followed', 'muted'] as const
export type InboxFilter = (typeof inboxFilters)[number]

/** Returns whether the inbox shows a conversation with these filters. Muted ones are included only if that is chosen. */
export const showsOnly =
  (chosen: readonly InboxFilter[]): Shows =>
  (session, thread) =>
    chosen.every((name) => fulfills[name](session, thread)) && (!thread.muted || chosen.includes('muted'))

const fulfills: Readonly<Record<InboxFilter, (session: Session, thread: UnreadThread) => boolean>> = {
  mentions: (_session, { mentions }) => mentions > 0,
  participated: (session, { conversation }) => ownConversations(session).keys.value.has(conversationKey(conversation)),
  followed: (session, { conversation: to }) =>
    to.type === 'stream' && followsOf(session.read('topics'))(to.stream_id, to.topic),
  muted: () => true,
}
