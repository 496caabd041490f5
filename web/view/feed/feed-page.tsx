import { useSignal, useSignalEffect } from '@preact/signals'
import { useEffect, useLayoutEffect, useMemo, useRef } from 'preact/hooks'
import type { Narrow } from '../../../src/client/index.ts'
import { conversationLabel } from '../../model/navigation/conversation-label.ts'
import { followMoved } from '../../model/navigation/permalink.ts'
import { addressOf } from '../../model/reading/conversations.ts'
import { openFeed } from '../../model/reading/feed.ts'
import { keepsUnread } from '../../model/reading/read-marks.ts'
import { goInstead, keptPlace } from '../../model/state/route.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { closeCompose, composeIn, composerOf } from '../../model/writing/compose.ts'
import { movedTo } from '../../model/writing/moved.ts'
import { texts } from '../../texts/texts.ts'
import { ComposeBox } from '../compose/compose-box.tsx'
import { JoinNotice } from '../compose/join-notice.tsx'
import { currentFeed, selected } from '../parts/current-feed.ts'
import { notify } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { SpectatorNotice } from '../sign-in/spectator.ts'
import { FeedHeader } from './feed-header.tsx'
import { FeedList } from './feed-list.tsx'
import { TypingLine } from './typing-line.tsx'

interface FeedPageProps {
  narrow: Narrow
  near: number | undefined
  /** The message that a link to a conversation names, wherever it is by now. */
  linked?: number | undefined
}

/** The messages of a narrow, and the place to write below them. */
export function FeedPage({ narrow, near, linked }: FeedPageProps) {
  const session = useSession()
  const readOnly = isReadOnly(session)
  const feed = useMemo(() => openFeed(session, narrow, near, keptPlace()), [session, narrow, near])
  const spoken = useSignal({ id: 0, text: '' })
  useLayoutEffect(() => {
    const shown = currentFeed(session)
    keepsUnread(session).value = false
    shown.value = feed
    selected(session).value = near
    if (!readOnly) composeIn(session, feed)
    return () => {
      feed.close()
      closeCompose(session)
      selected(session).value = undefined
      if (shown.peek() === feed) shown.value = undefined
    }
  }, [feed, session, near, readOnly])
  useEffect(() => {
    const message_id = linked ?? near
    if (!feed.conversation || message_id === undefined) return
    void followMoved(session, feed.conversation, message_id, near).then((gone) => gone && notify(gone))
  }, [feed, session, near, linked])
  // Readers follow a renamed, resolved or moved topic. People who are writing are asked, in the composer.
  const hadMessages = useRef(false)
  useSignalEffect(() => {
    const isEmpty = !feed.rows.value.some(({ kind }) => kind === 'message')
    const to = feed.conversation && movedTo(session, feed.conversation)
    if (!isEmpty) hadMessages.current = true
    if (!to || !isEmpty || !hadMessages.current || composerOf(session).content.value.trim() !== '') return
    hadMessages.current = false
    goInstead(addressOf(to, session.state, feed.place()))
    notify(texts.conversation.wentAlong(conversationLabel(session, to)))
  })
  // A new message is announced once, politely. Fetched messages are not.
  useEffect(
    () =>
      session.live.onChange((change) => {
        if (change.type !== 'event' || change.event.type !== 'message') return
        const { sender_full_name, id, sender_id } = change.event.message
        if (sender_id === session.state.user_id || !feed.rows.peek().some((row) => row.key === `m-${id}`)) return
        spoken.value = { id, text: texts.conversation.newMessageFrom(sender_full_name) }
      }),
    [feed, session, spoken],
  )
  return (
    <div class="feed-page">
      <FeedHeader feed={feed} />
      <FeedList feed={feed} />
      <p class="hidden" role="status">
        {/* Another element for each: the second of the same person is said too. */}
        <span key={spoken.value.id}>{spoken.value.text}</span>
      </p>
      <TypingLine conversation={feed.conversation} />
      <JoinNotice feed={feed} />
      {readOnly ? <SpectatorNotice /> : <ComposeBox feed={feed} />}
    </div>
  )
}
