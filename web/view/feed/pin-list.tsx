import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import type { Message } from '../../../src/client/index.ts'
import { addressOf, conversationOf, topicName } from '../../model/reading/conversations.ts'
import { plainText } from '../../model/reading/excerpt.ts'
import { mayPin, pinsIn } from '../../model/reading/load-pins.ts'
import { isMutedUser, nameOf } from '../../model/reading/people.ts'
import { knownPins } from '../../model/reading/pins.ts'
import { isolated } from '../../model/state/isolated.ts'
import type { Session } from '../../model/state/session.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { jump } from '../content/jump-to-quoted.ts'
import { Avatar } from '../parts/avatar.tsx'
import { closeDialog, openPopover } from '../parts/dialog.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { Moment } from '../parts/moment.tsx'
import { attempt, reasonOf } from '../parts/notices.tsx'
import { SessionProvider, useSession } from '../session-context.ts'

/** Shows the pinned messages of a channel, or of one topic. */
export const openPins = (session: Session, stream_id: number, topic: string | undefined): void =>
  openPopover(
    pieceTexts.pins.title,
    <SessionProvider value={session}>
      <PinList stream_id={stream_id} topic={topic} />
    </SessionProvider>,
  )

interface PinListProps {
  stream_id: number
  topic: string | undefined
}

function PinList({ stream_id, topic }: PinListProps) {
  const session = useSession()
  const fetched = useSignal<ReadonlyMap<number, Message>>(new Map())
  const problem = useSignal('')
  const pins = pinsIn(knownPins(session).value.get(stream_id) ?? [], topic)
  const ids = pins.map(({ message_id }) => message_id)
  useEffect(() => {
    const message_ids = ids.filter((id) => !fetched.peek().has(id))
    if (message_ids.length === 0) return
    session.client.getMessages({ message_ids, allow_empty_topic_name: true }).then(
      ({ messages }) => {
        fetched.value = new Map([...fetched.peek(), ...messages.map((message) => [message.id, message] as const)])
      },
      (error) => {
        problem.value = reasonOf(error)
      },
    )
  }, [session, ids.join()])
  if (pins.length === 0) return <p class="quiet">{pieceTexts.pins.none}</p>
  if (problem.value) return <p role="alert">{problem.value}</p>
  if (fetched.value.size === 0) return <p class="slow">{texts.common.loading}</p>
  return (
    <ul class="pin-list">
      {pins.map(({ message_id, user_id }) => {
        const message = session.messages.get(message_id) ?? fetched.value.get(message_id)
        return (
          message && (
            <li key={message_id}>
              <PinnedMessage message={message} by={user_id} withTopic={topic === undefined} />
              {mayPin(session, message) && (
                <IconButton
                  icon="close"
                  label={texts.actions.unpin}
                  onClick={() => attempt(() => session.client.unpinMessage({ message_id }))}
                />
              )}
            </li>
          )
        )
      })}
    </ul>
  )
}

/** Who wrote a message, when, its first words and who pinned it; leads to it. */
function PinnedMessage({ message, by, withTopic }: { message: Message; by: number; withTopic: boolean }) {
  const session = useSession()
  const { id, sender_id, sender_full_name, timestamp, subject } = message
  const { state } = session
  const go = (event: MouseEvent) => {
    jump(session, event)
    if (event.defaultPrevented) closeDialog()
  }
  return (
    <a class="row" href={addressOf(conversationOf(message, state.user_id), state, id)} onClick={go}>
      <Avatar user_id={sender_id} size={24} />
      <span class="name">
        <span class="title">
          <b>{nameOf(session, sender_id, sender_full_name)}</b>{' '}
          <span class="quiet small">
            <Moment seconds={timestamp} />
          </span>
        </span>
        {withTopic && <span class="quiet small">{topicName(subject, state)}</span>}
        <span class="words" dir="auto">
          {isMutedUser(session, sender_id) ? texts.message.mutedSender : plainText(message.content)}
        </span>
        <span class="quiet small">{pieceTexts.pins.by(isolated(nameOf(session, by)))}</span>
      </span>
    </a>
  )
}
