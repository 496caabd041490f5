import { type InboxGroup, inboxOf } from '../../model/navigation/inbox.ts'
import { addressOf, streamName, topicName } from '../../model/reading/conversations.ts'
import { isAlone, namesOf } from '../../model/reading/people.ts'
import type { UnreadThread } from '../../model/reading/unread.ts'
import { texts } from '../../texts/texts.ts'
import { readMessages } from '../feed/read-all.ts'
import { isCommand } from '../keys/key-name.ts'
import { Count } from '../parts/count.tsx'
import { Icon } from '../parts/icon.tsx'
import { attempt } from '../parts/notices.tsx'
import { onDemand } from '../parts/on-demand.tsx'
import { rich } from '../parts/rich.tsx'
import { StreamMark } from '../parts/stream-mark.tsx'
import { useSession } from '../session-context.ts'
import { ListPage, Nothing } from './list-page.tsx'
import { moveAmongRows } from './row-keys.ts'

const Welcome = onDemand(async () => (await import('../settings/loaded-pages.ts')).Welcome)

/** What is unread, by stream and topic and by people. */
export function Inbox() {
  const session = useSession()
  const groups = inboxOf(session).value
  const alone = isAlone(session)
  return (
    <ListPage title={texts.places.inbox} actions={groups.length > 0 && <ReadAll groups={groups} />}>
      {groups.length === 0 && !alone && (
        <Nothing>{rich(texts.inbox.empty, { link: (inside) => <a href="#recent">{inside}</a> })}</Nothing>
      )}
      {groups.length > 0 && (
        // biome-ignore lint/a11y/noStaticElementInteractions: the keys walk the links inside.
        <div onKeyDown={moveAmongRows}>
          {groups.map((group) => (
            <Group key={group.key} group={group} />
          ))}
        </div>
      )}
      {alone && <Welcome />}
    </ListPage>
  )
}

function ReadAll({ groups }: { groups: readonly InboxGroup[] }) {
  const session = useSession()
  const ids = groups.flatMap(({ threads }) => threads.flatMap((thread) => thread.ids))
  return (
    <button type="button" onClick={() => attempt(() => readMessages(session, ids))}>
      {texts.inbox.markAllRead}
    </button>
  )
}

function Group({ group: { key, stream_id, threads, count } }: { group: InboxGroup }) {
  const session = useSession()
  const state = session.read('streams')
  const stream = state.subscriptions.find((one) => one.stream_id === stream_id)
  const name =
    stream_id === undefined
      ? texts.places.directMessages
      : (streamName(state, stream_id) ?? texts.common.unknownChannel)
  const id = `inbox-${key}`
  return (
    <section class="inbox-group" aria-labelledby={id}>
      <h2 id={id}>
        {stream_id === undefined ? <Icon name="people" /> : <StreamMark stream={stream ?? { invite_only: false }} />}
        {name}
        <Count of={count} personal={stream_id === undefined} />
        <span class="space" />
        <button
          type="button"
          class="icon-button"
          aria-label={texts.inbox.markAllOfRead(name)}
          title={texts.inbox.markAllRead}
          onClick={() =>
            attempt(() =>
              readMessages(
                session,
                threads.flatMap(({ ids }) => ids),
              ),
            )
          }
        >
          <Icon name="check" />
        </button>
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
  const read = () => attempt(() => readMessages(session, ids))
  const name =
    conversation.type === 'stream'
      ? topicName(conversation.topic, session.state)
      : namesOf(session, conversation.user_ids)
  return (
    <li
      onKeyDown={(event) => {
        if (event.key === 'e' && !isCommand(event)) read()
      }}
    >
      <a class="row walked" href={addressOf(conversation, session.state)}>
        <span class="name">{name}</span>
        {mentions > 0 && <span class="mentioned">@</span>}
        <Count of={ids.length} personal={conversation.type === 'direct'} />
      </a>
      <button
        type="button"
        class="icon-button"
        aria-label={texts.inbox.markRead(name)}
        title={texts.inbox.markReadTitle}
        onClick={read}
      >
        <Icon name="check" />
      </button>
    </li>
  )
}
