import { useEffect } from 'preact/hooks'
import {
  type InboxGroup,
  inboxOf,
  inboxRows,
  inboxShows,
  isUnmuted,
  showWholeInbox,
} from '../../model/navigation/inbox.ts'
import { streamName, topicName } from '../../model/reading/conversations.ts'
import { isAlone, namesOf } from '../../model/reading/people.ts'
import { type UnreadThread, unreadOf } from '../../model/reading/unread.ts'
import { isFirstViewDrawn } from '../../model/state/first-draw.ts'
import { later } from '../../model/state/later.ts'
import { texts } from '../../texts/texts.ts'
import { readMessages } from '../feed/read-all.ts'
import { Count } from '../parts/count.tsx'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { isCommand } from '../parts/key-name.ts'
import { Nothing } from '../parts/nothing.tsx'
import { attempt } from '../parts/notices.tsx'
import { onDemand } from '../parts/on-demand.tsx'
import { rich } from '../parts/rich.tsx'
import { StreamMark } from '../parts/stream-mark.tsx'
import { WindowedList } from '../parts/windowed-list.tsx'
import { useSession } from '../session-context.ts'
import { ConversationRow } from './conversation-row.tsx'
import { ListPage } from './list-page.tsx'

const Welcome = onDemand(async () => (await import('../settings/loaded-pages.ts')).Welcome)

const filters = later(async () => (await import('./loaded-lists.ts')).InboxFilters)

/** The heights of a head and of a conversation, about. */
const HEAD_PX = 52
const ROW_PX = 50

/** What is unread, by stream and topic and by people. */
export function Inbox() {
  const session = useSession()
  const rows = inboxRows(session).value
  const alone = isAlone(session)
  const isFiltered = inboxShows(session).value !== isUnmuted
  const hasUnread = unreadOf(session).value.threads.size > 0
  // A view that is opened later shows everything again.
  useEffect(() => () => showWholeInbox(session), [session])
  return (
    <ListPage title={texts.places.inbox} actions={rows.length > 0 && <Actions />}>
      {(hasUnread || isFiltered) && <Filters rows={rows.length} />}
      {rows.length === 0 && !alone && !isFiltered && (
        <Nothing>{rich(texts.inbox.empty, { link: (inside) => <a href="#recent">{inside}</a> })}</Nothing>
      )}
      {rows.length > 0 && (
        <WindowedList
          class="inbox"
          label={texts.places.inbox}
          items={rows}
          keyOf={({ key }) => key}
          guess={({ kind }) => (kind === 'group' ? HEAD_PX : ROW_PX)}
          rowClass={({ kind }) => (kind === 'group' ? 'inbox-head' : '')}
          isWalked={({ kind }) => kind === 'thread'}
          onRowKey={(row, event) => {
            if (event.key !== 'e' || isCommand(event) || row.kind !== 'thread') return
            event.preventDefault()
            attempt(() => readMessages(session, row.thread.ids))
          }}
        >
          {(row) => (row.kind === 'group' ? <Group group={row.group} /> : <Thread thread={row.thread} />)}
        </WindowedList>
      )}
      {alone && <Welcome />}
    </ListPage>
  )
}

/** Above the list, and of its own, so that the list isn't drawn again when they come. */
function Filters({ rows }: { rows: number }) {
  if (isFirstViewDrawn.value) filters.load()
  const InboxFilters = filters.part.value
  return <div class="inbox-filters">{InboxFilters && <InboxFilters rows={rows} />}</div>
}

function Actions() {
  const session = useSession()
  const ids = () =>
    inboxOf(session)
      .peek()
      .flatMap(({ threads }) => threads.flatMap((thread) => thread.ids))
  return (
    <>
      <a class="button" href="#missed">
        {texts.inbox.missed}
      </a>
      <button type="button" onClick={() => attempt(() => readMessages(session, ids()))}>
        {texts.inbox.markAllRead}
      </button>
    </>
  )
}

function Group({ group: { stream_id, threads, count } }: { group: InboxGroup }) {
  const session = useSession()
  const state = session.read('streams')
  const stream = state.subscriptions.find((one) => one.stream_id === stream_id)
  const name =
    stream_id === undefined
      ? texts.places.directMessages
      : (streamName(state, stream_id) ?? texts.common.unknownChannel)
  const read = () => {
    const ids = threads.flatMap((thread) => thread.ids)
    return readMessages(session, ids)
  }
  return (
    <h2>
      {stream_id === undefined ? <Icon name="people" /> : <StreamMark stream={stream ?? { invite_only: false }} />}
      {name}
      <Count of={count} personal={stream_id === undefined} />
      <span class="space" />
      <IconButton
        icon="check"
        label={texts.inbox.markAllOfRead(name)}
        title={texts.inbox.markAllRead}
        onClick={() => attempt(read)}
      />
    </h2>
  )
}

function Thread({ thread }: { thread: UnreadThread }) {
  const session = useSession()
  const { conversation, ids, mentions } = thread
  const name =
    conversation.type === 'stream'
      ? topicName(conversation.topic, session.state)
      : namesOf(session, conversation.user_ids)
  return (
    <>
      <ConversationRow conversation={conversation} last={ids.at(-1)!} unread={ids.length} mentions={mentions} />
      <IconButton
        icon="check"
        label={texts.inbox.markRead(name)}
        title={texts.inbox.markReadTitle}
        onClick={() => attempt(() => readMessages(session, ids))}
      />
    </>
  )
}
