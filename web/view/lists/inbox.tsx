import { type InboxGroup, inboxOf, markRead } from '../../model/finding/inbox.ts'
import { addressOf, streamName, topicName } from '../../model/reading/conversations.ts'
import { namesOf } from '../../model/reading/people.ts'
import type { UnreadThread } from '../../model/reading/unread.ts'
import { Count } from '../parts/count.tsx'
import { Icon } from '../parts/icon.tsx'
import { attempt } from '../parts/notices.tsx'
import { StreamMark } from '../parts/stream-mark.tsx'
import { useSession } from '../session-context.ts'
import { ListPage, Nothing } from './list-page.tsx'
import { walkRows } from './walk-rows.ts'

/** What is unread, by stream and topic and by people. */
export function Inbox() {
  const session = useSession()
  const groups = inboxOf(session).value
  return (
    <ListPage title="Inbox">
      {groups.length === 0 ? (
        <Nothing>
          You have read everything. <a href="#recent">Recent conversations</a> has what was said.
        </Nothing>
      ) : (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keys walk the links inside.
        <div onKeyDown={walkRows}>
          {groups.map((group) => (
            <Group key={group.key} group={group} />
          ))}
        </div>
      )}
    </ListPage>
  )
}

function Group({ group: { key, stream_id, threads, count } }: { group: InboxGroup }) {
  const session = useSession()
  const { subscriptions, ...state } = session.read('streams')
  const stream = subscriptions.find((one) => one.stream_id === stream_id)
  const id = `inbox-${key}`
  return (
    <section class="inbox-group" aria-labelledby={id}>
      <h2 id={id}>
        {stream_id === undefined ? <Icon name="people" /> : <StreamMark stream={stream ?? { invite_only: false }} />}
        {stream_id === undefined
          ? 'Direct messages'
          : (streamName({ ...state, subscriptions }, stream_id) ?? 'Unknown stream')}
        <Count of={count} />
      </h2>
      <ul>
        {threads.map((thread) => (
          <Thread key={thread.ids[0]} thread={thread} />
        ))}
      </ul>
    </section>
  )
}

function Thread({ thread }: { thread: UnreadThread }) {
  const session = useSession()
  const { conversation, ids, mentions } = thread
  const read = () => attempt(() => markRead(session, thread))
  const name =
    conversation.type === 'stream'
      ? topicName(conversation.topic, session.state)
      : namesOf(session, conversation.user_ids)
  return (
    <li
      onKeyDown={(event) => {
        if (event.key === 'e') read()
      }}
    >
      <a class="row walked" href={addressOf(conversation, session.state)}>
        <span class="name">{name}</span>
        {mentions > 0 && <span class="mentioned">@</span>}
        <Count of={ids.length} />
      </a>
      <button
        type="button"
        class="icon-button"
        aria-label={`Mark ${name} as read`}
        title="Mark as read (e)"
        onClick={read}
      >
        <Icon name="check" />
      </button>
    </li>
  )
}
