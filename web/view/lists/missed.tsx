import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'
import { addressOf, streamName, topicName } from '../../model/reading/conversations.ts'
import { fetchMissed, type Missed as MissedMessages, type MissedThread } from '../../model/reading/missed.ts'
import { namesOf } from '../../model/reading/people.ts'
import { unreadOf } from '../../model/reading/unread.ts'
import { isolated } from '../../model/state/isolated.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { readMessages } from '../feed/read-all.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Icon } from '../parts/icon.tsx'
import { Nothing } from '../parts/nothing.tsx'
import { attempt, reasonOf } from '../parts/notices.tsx'
import { dayName } from '../parts/times.ts'
import { useSession } from '../session-context.ts'
import { ListPage } from './list-page.tsx'
import { moveAmongRows } from './row-keys.ts'

/** So many participants have their picture. */
const PICTURES = 4
const NAMES = 3

/** Unread messages by day and conversation, with participants and the first and last words. */
export function Missed() {
  const session = useSession()
  const missed = useSignal<MissedMessages | undefined>(undefined)
  const problem = useSignal('')
  const isOnline = session.connection.value.status === 'online'
  useEffect(() => {
    fetchMissed(session).then(
      (found) => {
        missed.value = found
        problem.value = ''
      },
      (error: unknown) => (problem.value = reasonOf(error)),
    )
  }, [session, isOnline])
  const unread = new Set([...unreadOf(session).value.threads.values()].flatMap(({ ids }) => ids))
  const days = (missed.value?.days ?? [])
    .map(({ at, threads }) => ({ at, threads: threads.filter(({ ids }) => ids.some((id) => unread.has(id))) }))
    .filter(({ threads }) => threads.length > 0)
  const all = days.flatMap(({ threads }) => threads.flatMap(({ ids }) => ids)).filter((id) => unread.has(id))
  return (
    <ListPage
      title={texts.inbox.missed}
      actions={
        all.length > 0 && (
          <button type="button" onClick={() => attempt(() => readMessages(session, all))}>
            {texts.inbox.markAllRead}
          </button>
        )
      }
    >
      {problem.value && !missed.value && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      {missed.value && days.length === 0 && <Nothing>{pieceTexts.feed.allRead}</Nothing>}
      {/* biome-ignore lint/a11y/noStaticElementInteractions: arrow keys move between the links inside. */}
      <div class="missed" onKeyDown={moveAmongRows}>
        {days.map(({ at, threads }) => (
          <section key={at}>
            <h2>
              {dayName(new Date(at * 1000))}
              <span class="quiet small">
                {pieceTexts.missed.summary(
                  threads.reduce((sum, { ids }) => sum + ids.length, 0),
                  threads.length,
                )}
              </span>
            </h2>
            <ul>
              {threads.map((thread) => (
                <Thread key={thread.key} thread={thread} />
              ))}
            </ul>
          </section>
        ))}
        {missed.value?.hasMore && <p class="quiet">{pieceTexts.missed.more}</p>}
      </div>
    </ListPage>
  )
}

function Thread({ thread: { conversation, ids, senders, first, last } }: { thread: MissedThread }) {
  const session = useSession()
  const state = session.read('streams')
  const isDirect = conversation.type === 'direct'
  const title = isDirect ? namesOf(session, conversation.user_ids) : topicName(conversation.topic, state)
  const named = senders.slice(0, NAMES).map(({ name }) => isolated(name))
  return (
    <li>
      <a class="row walked conversation" href={addressOf(conversation, state, ids[0])}>
        <span class="pictures">
          {senders.slice(0, PICTURES).map(({ id }) => (
            <Avatar key={id} user_id={id} size={24} />
          ))}
        </span>
        <span class="name">
          <span class="title">
            {!isDirect && (
              <span class="quiet">{streamName(state, conversation.stream_id) ?? texts.common.unknownChannel} › </span>
            )}
            {title}
          </span>
          <span class="quiet small">
            {pieceTexts.missed.participants(ids.length, named, senders.length - named.length)}
          </span>
          <span class="excerpt">{texts.inbox.excerpt(isolated(senders[0]!.name), first)}</span>
          {last && <span class="excerpt quiet">… {last}</span>}
        </span>
      </a>
      <button
        type="button"
        class="icon-button"
        aria-label={texts.inbox.markRead(title)}
        title={texts.actions.markAllRead}
        onClick={() => attempt(() => readMessages(session, ids))}
      >
        <Icon name="check" />
      </button>
    </li>
  )
}
