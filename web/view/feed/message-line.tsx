import { useComputed, useSignal } from '@preact/signals'
import type { Message } from '../../../src/client/index.ts'
import { addressOf, conversationOf } from '../../model/reading/conversations.ts'
import { type FeedView, isSearched } from '../../model/reading/feed-view.ts'
import { isBot, isMutedUser, nameOf, senderAvatar, statusOf } from '../../model/reading/people.ts'
import { later } from '../../model/state/later.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { isEditing } from '../../model/writing/edit.ts'
import { texts } from '../../texts/texts.ts'
import { Content } from '../content/content.tsx'
import { FoldedContent } from '../content/folded-content.tsx'
import { openProfile } from '../content/open-profile.tsx'
import { Widget } from '../content/widget.tsx'
import { StatusEmoji } from '../emoji/status-emoji.tsx'
import { Avatar } from '../parts/avatar.tsx'
import { selected } from '../parts/current-feed.ts'
import { fullTime, shortTime } from '../parts/times.ts'
import { useSession } from '../session-context.ts'
import { Marks } from './marks.tsx'
import { MessageActions } from './message-actions.tsx'
import { Reactions } from './reactions.tsx'

interface MessageLineProps {
  message: Message
  withSender: boolean
  feed: FeedView
}

/** Loaded with the first edit, which waits for the message's Markdown anyway. */
const editBox = later(async () => (await import('./edit-box.tsx')).EditBox)

/** A message: who, when, what, and what others made of it. */
export function MessageLine({ message, withSender, feed }: MessageLineProps) {
  const session = useSession()
  const { id, sender_id, flags, timestamp, is_me_message, submessages } = message
  const name = nameOf(session, sender_id, message.sender_full_name)
  const date = new Date(timestamp * 1000)
  const current = selected(session)
  const isSelected = useComputed(() => current.value === id).value
  const wantsEdit = useComputed(() => isEditing(session, id)).value
  if (wantsEdit) editBox.load()
  const EditBox = wantsEdit ? editBox.part.value : undefined
  // Most messages are only read: their actions are made when somebody comes near, not for those that scroll below the pointer.
  const isNear = useSignal(false)
  const comesNear = () => {
    isNear.value = true
  }
  const isHidden = useSignal(true)
  // What somebody does, as one line: “ann waves”.
  const isAction = is_me_message && !EditBox && !(isHidden.value && isMutedUser(session, sender_id))
  // What was found is marked where one searches, and not in the conversation.
  const html = (isSearched(feed) && message.match_content) || message.content
  const mentioned = flags.some((flag) => flag.endsWith('mentioned'))
  const classes = ['message', withSender && 'with-sender', mentioned && 'mentions-me', isSelected && 'selected']
  const clock = shortTime(date, session.read('settings').user_settings.twenty_four_hour_time)
  const address = addressOf(conversationOf(message, session.state.user_id), session.state, id)
  const time = (shown: string) => (
    <a
      class="time"
      href={address}
      title={fullTime(date)}
      aria-label={`${shown}${texts.common.comma}${fullTime(date)}`}
      tabIndex={-1}
    >
      {shown}
    </a>
  )
  return (
    // biome-ignore lint/a11y/useKeyWithClickEvents: the page handles the keys that select.
    <article
      id={`message-${id}`}
      class={classes.filter(Boolean).join(' ')}
      tabIndex={-1}
      aria-label={`${name}${texts.common.comma}${clock}`}
      data-unread={flags.includes('read') ? undefined : ''}
      onClick={() => (current.value = id)}
      onPointerMove={comesNear}
      onFocusIn={comesNear}
    >
      {withSender ? (
        <Avatar user_id={sender_id} size={36} meanwhile={senderAvatar(message)} />
      ) : (
        <span class="gutter">{time(clock.replace(/\s?[ap]m$/i, ''))}</span>
      )}
      <div class="body">
        {withSender && !isAction && (
          <header>
            <Sender user_id={sender_id} name={name} />
            {time(clock)}
            <Marks message={message} />
          </header>
        )}
        {isHidden.value && isMutedUser(session, sender_id) ? (
          <button type="button" class="quiet muted-message" onClick={() => (isHidden.value = false)}>
            {texts.message.mutedSender}
          </button>
        ) : EditBox ? (
          <EditBox message={message} />
        ) : isAction ? (
          <div class="me">
            <Sender user_id={sender_id} name={name} />
            <Content html={html.replace('<p>/me ', '<p>')} />
            {time(clock)}
            <Marks message={message} />
          </div>
        ) : submessages.length > 0 ? (
          <Widget message={message} />
        ) : (
          <FoldedContent html={html} />
        )}
        {!withSender && <Marks message={message} />}
        <Reactions message={message} />
      </div>
      {(isNear.value || isSelected) && !isReadOnly(session) && <MessageActions message={message} feed={feed} />}
    </article>
  )
}

function Sender({ user_id, name }: { user_id: number; name: string }) {
  const session = useSession()
  const status = statusOf(session, user_id)
  return (
    <>
      {isReadOnly(session) ? (
        <span class="sender">{name}</span>
      ) : (
        <button type="button" class="sender" onClick={() => openProfile(session, user_id)}>
          {name}
        </button>
      )}
      <StatusEmoji user_id={user_id} />
      {isBot(session, user_id) && <span class="badge">{texts.message.bot}</span>}
      {status?.status_text && <span class="quiet small status">{status.status_text}</span>}
    </>
  )
}
