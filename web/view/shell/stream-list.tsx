import { useSignal } from '@preact/signals'
import { addressOf, conversationIn, conversationKey, topicName } from '../../model/reading/conversations.ts'
import { openStreams, type StreamRow, streamRows, toggleStream, topicRows } from '../../model/reading/sidebar.ts'
import { narrowAddress } from '../../model/state/address.ts'
import { place } from '../../model/state/route.ts'
import { Count } from '../parts/count.tsx'
import { Icon } from '../parts/icon.tsx'
import { useDrawnLater } from '../parts/long-list.ts'
import { StreamMark } from '../parts/stream-mark.tsx'
import { useSession } from '../session-context.ts'

/** The streams of the reader, each with its topics when it is open. */
export function StreamList() {
  const session = useSession()
  const most = useDrawnLater()
  const rows = streamRows(session).value.slice(0, most)
  return (
    <section class="group" aria-labelledby="streams-title">
      <h2 id="streams-title">
        Streams
        <a href="#streams" class="icon-button" aria-label="Browse all streams" title="Browse all streams">
          <Icon name="plus" />
        </a>
      </h2>
      <ul>
        {rows.map((row) => (
          <StreamItem key={row.stream.stream_id} row={row} />
        ))}
      </ul>
    </section>
  )
}

function StreamItem({ row: { stream, unread } }: { row: StreamRow }) {
  const { stream_id, name, is_muted } = stream
  const where = place.value
  const first = where.view === 'feed' ? where.narrow[0] : undefined
  const isHere = first?.operator === 'channel' && first.operand === stream_id
  const isOpen = openStreams.value.has(stream_id) || isHere
  const address = narrowAddress([{ operator: 'channel', operand: stream_id }], undefined, () => name)
  const isPage = where.view === 'feed' && isHere && where.narrow.length === 1
  return (
    <li class={is_muted ? 'muted' : ''}>
      <div class="row">
        <button
          type="button"
          class="fold"
          aria-expanded={isOpen}
          aria-label={`Topics of ${name}`}
          onClick={() => toggleStream(stream_id)}
        >
          <Icon name="chevron" />
        </button>
        <a href={address} aria-current={isPage ? 'page' : undefined}>
          <StreamMark stream={stream} />
          <span class="name">{name}</span>
          <Count of={unread} />
        </a>
      </div>
      {isOpen && <Topics stream_id={stream_id} />}
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
      {rows.map(({ topic, unread, mentions, muted }) => {
        const conversation = { type: 'stream', stream_id, topic } as const
        const isHere = conversationKey(conversation) === hereKey
        return (
          <li key={topic} class={muted ? 'muted' : ''}>
            <a class="row" href={addressOf(conversation, session.state)} aria-current={isHere ? 'page' : undefined}>
              <span class="name">{topicName(topic, session.state)}</span>
              {mentions > 0 && <span class="mentioned">@</span>}
              <Count of={unread} />
            </a>
          </li>
        )
      })}
      {(rest > 0 || all.value) && (
        <li>
          <button type="button" class="row more" onClick={() => (all.value = !all.value)}>
            {all.value ? 'Fewer topics' : `${rest} more`}
          </button>
        </li>
      )}
    </ul>
  )
}
