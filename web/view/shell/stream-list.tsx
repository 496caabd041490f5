import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useEffect } from 'preact/hooks'
import {
  addressOf,
  type Conversation,
  conversationIn,
  conversationKey,
  topicName,
} from '../../model/reading/conversations.ts'
import {
  closedFolders,
  openStreams,
  type StreamRow,
  type StreamSection,
  streamSections,
  type TopicRow,
  topicRows,
} from '../../model/reading/sidebar.ts'
import { newestConversation } from '../../model/reading/topics.ts'
import { narrowAddress } from '../../model/state/address.ts'
import { drawMoreBeside, isFirstViewDrawn, rowsBeside } from '../../model/state/first-draw.ts'
import { go, place } from '../../model/state/route.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { texts } from '../../texts/texts.ts'
import { loadMenus, menus } from '../feed/menus.ts'
import { Count } from '../parts/count.tsx'
import { Icon } from '../parts/icon.tsx'
import { memo } from '../parts/memo.ts'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { StreamMark } from '../parts/stream-mark.tsx'
import { useSession } from '../session-context.ts'

/** Values of the setting that decides what a click on a stream's name opens. */
const opens = { newestTopic: 1, all: 2, topics: 3, unreadTopic: 4 } as const

/** The reader's streams, each with its topics when open. */
export function StreamList() {
  const session = useSession()
  return (
    <section class="group" aria-labelledby="streams-title">
      <h2 id="streams-title">
        {texts.places.channels}
        {!isReadOnly(session) && (
          <a
            href="#streams"
            class="icon-button"
            aria-label={texts.shell.browseChannels}
            title={texts.shell.browseChannels}
          >
            <Icon name="plus" />
          </a>
        )}
      </h2>
      {streamSections(session).value.map((section) => (
        <Section key={section.folder?.id} section={section} />
      ))}
    </section>
  )
}

function Section({ section: { folder, rows } }: { section: StreamSection }) {
  const most = rowsBeside.value
  const closed = closedFolders(useSession())
  const isClosed = folder !== undefined && closed.has(folder.id)
  // Long lists are drawn to their end when the page is at rest.
  const hasMore = isFirstViewDrawn.value && rows.length > most && !isClosed
  useEffect(() => void (hasMore && drawMoreBeside()))
  return (
    <>
      {folder && (
        <h3>
          <button type="button" class="row" aria-expanded={!isClosed} onClick={() => closed.toggle(folder.id)}>
            <Icon name="chevron" />
            <span class="name">{folder.name}</span>
            {isClosed && <Count of={rows.reduce((sum, { unread }) => sum + unread, 0)} />}
          </button>
        </h3>
      )}
      {!isClosed && rows.length > 0 && (
        <ul>
          {rows.slice(0, most).map((row) => (
            <StreamItem key={row.stream.stream_id} row={row} />
          ))}
        </ul>
      )}
    </>
  )
}

const StreamItem = memo(function StreamItem({ row: { stream, unread } }: { row: StreamRow }) {
  const session = useSession()
  const { stream_id, name, is_muted } = stream
  const where = place.value
  const first = where.view === 'feed' ? where.narrow[0] : undefined
  const isHere = first?.operator === 'channel' && first.operand === stream_id
  const opened = openStreams(session)
  const isOpen = opened.has(stream_id) || isHere
  const address = narrowAddress([{ operator: 'channel', operand: stream_id }], undefined, () => name)
  const isPage = where.view === 'feed' && isHere && where.narrow.length === 1
  const { web_channel_default_view } = session.read('settings').user_settings
  // Inside the stream, its name leads to the entire stream, and so does a click that opens a new window.
  const opensAll = web_channel_default_view === opens.all || isHere
  const open = (event: MouseEvent) => {
    if (opensAll || event.ctrlKey || event.metaKey || event.shiftKey) return
    event.preventDefault()
    if (web_channel_default_view === opens.topics) return opened.toggle(stream_id)
    const unread = web_channel_default_view === opens.unreadTopic
    void newestConversation(session, stream_id, unread).then((newest) =>
      go(newest ? addressOf(newest, session.state) : address),
    )
  }
  return (
    <li class={is_muted ? 'muted' : ''}>
      <Row name={name} items={() => menus().streamActions(session, stream_id)}>
        <button
          type="button"
          class="fold"
          aria-expanded={isOpen}
          aria-label={texts.shell.topicsOf(name)}
          onClick={() => opened.toggle(stream_id)}
        >
          <Icon name="chevron" />
        </button>
        <a href={address} aria-current={isPage ? 'page' : undefined} onClick={open}>
          <StreamMark stream={stream} />
          <span class="name">{name}</span>
          <Count of={unread} />
        </a>
      </Row>
      {isOpen && <Topics stream_id={stream_id} />}
    </li>
  )
})

interface TopicItemProps {
  row: TopicRow
  conversation: Conversation & { type: 'stream' }
  isHere: boolean
}

function TopicItem({ row: { topic, unread, mentions, muted }, conversation, isHere }: TopicItemProps) {
  const session = useSession()
  const name = topicName(topic, session.state)
  return (
    <li class={muted ? 'muted' : ''}>
      <Row name={name} items={() => menus().topicActions(session, conversation)}>
        <a href={addressOf(conversation, session.state)} aria-current={isHere ? 'page' : undefined}>
          <span class="name">{name}</span>
          {mentions > 0 && <span class="mentioned">@</span>}
          <Count of={unread} />
        </a>
      </Row>
    </li>
  )
}

function Topics({ stream_id }: { stream_id: number }) {
  const session = useSession()
  const all = useSignal(false)
  const { rows, rest } = topicRows(session, stream_id, all.value)
  const where = place.value
  const here = where.view === 'feed' && conversationIn(where.narrow, session.state.user_id)
  const hereKey = here && conversationKey(here)
  return (
    <ul class="topics">
      {rows.map((row) => {
        const conversation = { type: 'stream', stream_id, topic: row.topic } as const
        const isHere = conversationKey(conversation) === hereKey
        return <TopicItem key={row.topic} row={row} conversation={conversation} isHere={isHere} />
      })}
      {(rest > 0 || all.value) && (
        <li>
          <button type="button" class="row more" onClick={() => (all.value = !all.value)}>
            {all.value ? texts.shell.fewerTopics : texts.common.more(rest)}
          </button>
        </li>
      )}
    </ul>
  )
}

interface RowProps {
  name: string
  items(): readonly MenuItem[]
  children: ComponentChildren
}

/** A row whose menu is made when the pointer or the focus comes near. */
function Row({ name, items, children }: RowProps) {
  const session = useSession()
  const isNear = useSignal(false)
  const comes = () => {
    isNear.value = true
  }
  return (
    <div class="row" onPointerEnter={comes} onFocusIn={comes}>
      {children}
      {isNear.value && !isReadOnly(session) && (
        <Menu label={texts.shell.actionsFor(name)} ready={loadMenus} items={items}>
          <Icon name="more" />
        </Menu>
      )}
    </div>
  )
}
