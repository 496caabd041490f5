import type { FeedView } from '../../model/reading/feed-view.ts'
import { keepsUnread } from '../../model/reading/read-marks.ts'
import type { Session } from '../../model/state/session.ts'
import type { MenuItem } from '../parts/menu.tsx'
import { notify } from '../parts/notices.tsx'

const POLICIES = [
  ['Mute topic', 1],
  ['Follow topic', 3],
  ['Topic as its stream', 0],
] as const

/** What can be done with everything in a feed. */
export function conversationActions(session: Session, feed: FeedView): MenuItem[] {
  const { client } = session
  const { conversation, narrow } = feed
  const items: MenuItem[] = [
    {
      label: 'Mark all as read',
      hint: 'Shift+A',
      async run() {
        keepsUnread.value = false
        const sent = narrow.map((term) => ({
          operator: term.operator,
          operand: typeof term.operand === 'object' ? [...term.operand] : term.operand,
          negated: term.negated ?? false,
        }))
        await client.updateFlagsForNarrow({
          anchor: 'newest',
          num_before: 5000,
          num_after: 0,
          narrow: sent,
          op: 'add',
          flag: 'read',
        })
      },
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
  const policies = POLICIES.map(([label, visibility_policy]) => ({
    label,
    checked: (now?.visibility_policy ?? 0) === visibility_policy,
    run: () => client.updateUserTopic({ stream_id, topic, visibility_policy }),
  }))
  return [...items, ...policies]
}
