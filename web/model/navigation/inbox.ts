import { computed, signal } from '@preact/signals'
import { type Conversation, conversationKey } from '../reading/conversations.ts'
import { type UnreadThread, unreadOf } from '../reading/unread.ts'
import { perSession, type Session } from '../state/session.ts'

export interface InboxGroup {
  key: string
  /** Undefined for direct conversations, which are one group. */
  stream_id: number | undefined
  threads: readonly UnreadThread[]
  count: number
}

/** Whether a conversation is listed. */
export type Shows = (session: Session, thread: UnreadThread) => boolean

/** Shows all that isn't muted. */
export const isUnmuted: Shows = (_session, { muted }) => !muted

/** What the reader chose to see in the inbox; by default all that isn't muted. */
export const inboxShows = perSession(() => signal<Shows>(isUnmuted))

export const showWholeInbox = (session: Session): void => {
  inboxShows(session).value = isUnmuted
}

/** Unread messages by stream, most recent first, with direct conversations at the top. */
function grouped(session: Session, shows: Shows): InboxGroup[] {
  /** By stream; direct conversations are together. */
  const groups = new Map<number | undefined, UnreadThread[]>()
  for (const thread of unreadOf(session).value.threads.values()) {
    if (!shows(session, thread)) continue
    const { conversation } = thread
    const stream_id = conversation.type === 'stream' ? conversation.stream_id : undefined
    const group = groups.get(stream_id)
    if (group) group.push(thread)
    else groups.set(stream_id, [thread])
  }
  const newest = ({ ids }: UnreadThread) => ids.at(-1) ?? 0
  return [...groups]
    .map(([stream_id, threads]): InboxGroup => {
      const sorted = threads.sort((a, b) => newest(b) - newest(a))
      return {
        key: stream_id === undefined ? 'direct' : `s${stream_id}`,
        stream_id,
        threads: sorted,
        count: sorted.reduce((sum, { ids }) => sum + ids.length, 0),
      }
    })
    .sort(
      (a, b) =>
        Number(b.key === 'direct') - Number(a.key === 'direct') || newest(b.threads[0]!) - newest(a.threads[0]!),
    )
}

/** All that is unread and not muted, whatever the inbox shows. */
const unmutedGroups = perSession((session) => computed(() => grouped(session, isUnmuted)))

/** What the inbox shows. */
export const inboxOf = perSession((session) =>
  computed(() => {
    const shows = inboxShows(session).value
    return shows === isUnmuted ? unmutedGroups(session).value : grouped(session, shows)
  }),
)

/** A row of the inbox: the heading of a group, or a conversation in it. */
export type InboxRow =
  | { kind: 'group'; key: string; group: InboxGroup }
  | { kind: 'thread'; key: string; thread: UnreadThread }

/** All rows of the inbox. */
export const inboxRows = perSession((session) =>
  computed((): readonly InboxRow[] =>
    inboxOf(session).value.flatMap((group): InboxRow[] => [
      { kind: 'group', key: group.key, group },
      ...group.threads.map((thread): InboxRow => ({ kind: 'thread', key: thread.key, thread })),
    ]),
  ),
)

/** The unread conversations, in the order of the inbox. */
const unreadConversations = (session: Session): Conversation[] =>
  unmutedGroups(session).value.flatMap(({ threads }) => threads.map(({ conversation }) => conversation))

/** Returns the next conversation with unread messages; the first one after the last, or if none is given. */
export function nextUnread(
  session: Session,
  after: Conversation | undefined,
  kind?: Conversation['type'],
): Conversation | undefined {
  const all = unreadConversations(session).filter(({ type }) => kind === undefined || type === kind)
  const key = after && conversationKey(after)
  const at = all.findIndex((one) => conversationKey(one) === key)
  return all[at + 1] ?? all.find((one) => conversationKey(one) !== key)
}
