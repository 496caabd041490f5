import { hasPermission } from '../../../src/client/index.ts'
import { narrowOf } from '../../model/reading/conversations.ts'
import type { FeedView } from '../../model/reading/feed-view.ts'
import { loadPart } from '../../model/state/load-part.ts'
import { go, goToNarrow } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { isResolved, resolvedName } from '../../model/writing/moving.ts'
import { mayMove } from '../../model/writing/rights.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { copyLink } from '../parts/copy-text.ts'
import type { MenuItem } from '../parts/menu.tsx'
import { channelEmailItem } from './channel-email-item.ts'
import { openJumpToDate } from './jump-to-date.tsx'
import { readAll } from './read-all.ts'
import { topicPolicies } from './topic-actions.ts'

/** What can be done with everything in a feed. */
export function conversationActions(session: Session, feed: FeedView): MenuItem[] {
  const { client } = session
  const { conversation } = feed
  const copy: MenuItem = { label: texts.actions.copyLink, run: () => copyLink(location.href) }
  const jump: MenuItem = {
    label: pieceTexts.jumpToDate.menu,
    run: () => openJumpToDate(session, feed.narrow),
  }
  if (isReadOnly(session)) return [copy, jump]
  const items: MenuItem[] = [
    {
      label: texts.actions.markAllRead,
      hint: texts.actions.markAllReadKey,
      run: () => readAll(session, feed.narrow),
    },
    copy,
    jump,
  ]
  if (conversation?.type !== 'stream') {
    const [only, ...others] = feed.narrow
    if (only?.operator !== 'channel' || others.length > 0) return items
    const channel = Number(only.operand)
    return [...items, ...channelEmailItem(session, channel), settingsOf(channel)]
  }
  const { stream_id, topic } = conversation
  const last = feed.rows.peek().findLast((row) => row.kind === 'message')
  const message = last?.kind === 'message' && last.message.type === 'stream' ? last.message : undefined
  const changes: (MenuItem | false | undefined)[] = [
    // What has no name cannot have one that says that it is resolved.
    message &&
      topic !== '' &&
      hasPermission(session.read('organization', 'groups'), 'realm_can_resolve_topics_group') && {
        label: isResolved(topic) ? texts.actions.reopen : texts.actions.resolve,
        async run() {
          const name = resolvedName(topic, session.state.max_topic_length)
          const { hash } = location
          await client.updateMessage({ message_id: message.id, topic: name, propagate_mode: 'change_all' })
          // A reader who has gone elsewhere stays there.
          if (location.hash === hash) goToNarrow(narrowOf({ ...conversation, topic: name }))
        },
      },
    message &&
      mayMove(session, message) && {
        label: texts.actions.moveTopic,
        run: async () => (await loadPart(() => import('../settings/loaded-pages.ts'))).openMove(session, message),
      },
    ...channelEmailItem(session, stream_id),
    settingsOf(stream_id),
  ]
  return [
    ...items,
    ...changes.filter((item) => item !== false && item !== undefined),
    ...topicPolicies(session, stream_id, topic),
  ]
}

const settingsOf = (stream_id: number): MenuItem => ({
  label: texts.actions.channelSettings,
  run: () => go(`#streams/${stream_id}`),
})
