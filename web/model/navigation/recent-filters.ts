import { signal } from '@preact/signals'
import { storedName } from '../here.ts'
import { browserStorage } from '../persistence/browser-storage.ts'
import { conversationKey, topicName } from '../reading/conversations.ts'
import { namesOf } from '../reading/people.ts'
import { followsOf, mutesOf, unreadOf } from '../reading/unread.ts'
import { compareNames } from '../state/compare-names.ts'
import { perSession, type Session } from '../state/session.ts'
import type { RecentConversation } from './recent.ts'

export const filterNames = ['unread', 'mentions', 'participated', 'followed', 'muted'] as const
export type FilterName = (typeof filterNames)[number]
export const orders = ['newest', 'unread', 'name'] as const
export type Order = (typeof orders)[number]

interface Choice {
  filters: readonly FilterName[]
  order: Order
}

const STORED = storedName('recent-filters')

/** What the list of recent conversations shows, and how it is sorted. The browser remembers it. */
export const recentChoice = perSession(() => signal<Choice>(stored()))

function stored(): Choice {
  try {
    const { filters, order } = JSON.parse(browserStorage().getItem(STORED) ?? '{}') as Partial<Choice>
    return {
      filters: filterNames.filter((name) => filters?.includes(name)),
      order: orders.find((name) => name === order) ?? 'newest',
    }
  } catch {
    return { filters: [], order: 'newest' }
  }
}

export function chooseRecent(session: Session, changes: Partial<Choice>): void {
  const choice = recentChoice(session)
  choice.value = { ...choice.value, ...changes }
  browserStorage().setItem(STORED, JSON.stringify(choice.value))
}

export function toggleFilter(session: Session, name: FilterName): void {
  const { filters } = recentChoice(session).value
  chooseRecent(session, {
    filters: filters.includes(name) ? filters.filter((one) => one !== name) : [...filters, name],
  })
}

/** Returns the conversations that fulfill all chosen filters. Muted ones are included only if that is chosen. */
export function filtered(session: Session, rows: readonly RecentConversation[]): readonly RecentConversation[] {
  const { filters, order } = recentChoice(session).value
  const state = session.read('topics', 'streams', 'unread')
  const { threads } = unreadOf(session).value
  const [isMuted, isFollowed] = [mutesOf(state), followsOf(state)]
  const threadOf = (row: RecentConversation) => threads.get(conversationKey(row.conversation))
  const unreadIn = (row: RecentConversation) => threadOf(row)?.ids.length ?? 0
  const fulfills: Record<FilterName, (row: RecentConversation) => boolean> = {
    unread: (row) => unreadIn(row) > 0,
    mentions: (row) => (threadOf(row)?.mentions ?? 0) > 0,
    participated: ({ hasOwn }) => hasOwn,
    followed: ({ conversation: to }) => to.type === 'stream' && isFollowed(to.stream_id, to.topic),
    muted: () => true,
  }
  const found = rows.filter(
    (row) =>
      filters.every((name) => fulfills[name](row)) &&
      (filters.includes('muted') ||
        row.conversation.type === 'direct' ||
        !isMuted(row.conversation.stream_id, row.conversation.topic)),
  )
  if (order === 'unread') return found.sort((a, b) => unreadIn(b) - unreadIn(a) || b.id - a.id)
  const nameOf = ({ conversation: to }: RecentConversation) =>
    to.type === 'stream' ? topicName(to.topic, state) : namesOf(session, to.user_ids)
  if (order === 'name') return found.sort((a, b) => compareNames(nameOf(a), nameOf(b)))
  return found
}
