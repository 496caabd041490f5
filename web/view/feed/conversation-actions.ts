import { hasPermission } from '../../../src/client/index.ts'
import { narrowOf } from '../../model/reading/conversations.ts'
import type { FeedView } from '../../model/reading/feed-view.ts'
import { keepsUnread } from '../../model/reading/read-marks.ts'
import { go, goToNarrow } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { isResolved, resolvedName } from '../../model/writing/edit.ts'
import type { MenuItem } from '../parts/menu.tsx'
import { notify } from '../parts/notices.tsx'
import { openMove } from './move-dialog.tsx'

const POLICIES = [
  ['Mute topic', 1],
  ['Follow topic', 3],
  ['Topic as its stream', 0],
] as const

/** Marks all messages of a feed as read. */
export async function markAllRead({ client }: Session, { narrow }: FeedView): Promise<void> {
  keepsUnread.value = false
  const sent = narrow.map(({ operator, operand, negated = false }) => ({
    operator,
    operand: typeof operand === 'object' ? [...operand] : operand,
    negated,
  }))
  const range = { anchor: 'newest', num_before: 5000, num_after: 0 } as const
  await client.updateFlagsForNarrow({ ...range, narrow: sent, op: 'add', flag: 'read' })
}

/** What can be done with everything in a feed. */
export function conversationActions(session: Session, feed: FeedView): MenuItem[] {
  const { client } = session
  const { conversation } = feed
  const items: MenuItem[] = [
    {
      label: 'Mark all as read',
      hint: 'Shift+A',
      run: () => markAllRead(session, feed),
    },
    {
      label: 'Copy link',
      async run() {
        await navigator.clipboard.writeText(location.href)
        notify('The link is copied.')
      },
    },
  ]
  if (conversation?.type !== 'stream') return items
  const { stream_id, topic } = conversation
  const now = session
    .read('topics')
    .user_topics.find((one) => one.stream_id === stream_id && one.topic_name.toLowerCase() === topic.toLowerCase())
  const last = feed.rows.peek().findLast((row) => row.kind === 'message')
  const message = last?.kind === 'message' && last.message.type === 'stream' ? last.message : undefined
  const changes: (MenuItem | false | undefined)[] = [
    message &&
      hasPermission(session.read('organization', 'groups'), 'realm_can_resolve_topics_group') && {
        label: isResolved(topic) ? 'Mark as unresolved' : 'Mark as resolved',
        async run() {
          const name = resolvedName(topic, session.state.max_topic_length)
          await client.updateMessage({ message_id: message.id, topic: name, propagate_mode: 'change_all' })
          goToNarrow(narrowOf({ ...conversation, topic: name }))
        },
      },
    message && { label: 'Rename or move …', run: () => openMove(message) },
    { label: 'About the stream', run: () => go(`#streams/${stream_id}`) },
  ]
  const policies = POLICIES.map(([label, visibility_policy]) => ({
    label,
    checked: (now?.visibility_policy ?? 0) === visibility_policy,
    run: () => client.updateUserTopic({ stream_id, topic, visibility_policy }),
  }))
  return [...items, ...changes.filter((item) => item !== false && item !== undefined), ...policies]
}
