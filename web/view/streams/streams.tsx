import { useSignal } from '@preact/signals'
import { mayJoin } from '../../model/reading/stream-rights.ts'
import { narrowAddress } from '../../model/state/address.ts'
import { compareNames } from '../../model/state/compare-names.ts'
import { isolated } from '../../model/state/isolated.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { best, folded } from '../../model/writing/matching.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { ListPage } from '../lists/list-page.tsx'
import { Filter } from '../parts/filter.tsx'
import { Icon } from '../parts/icon.tsx'
import { attempt, notify } from '../parts/notices.tsx'
import { StreamMark } from '../parts/stream-mark.tsx'
import { WindowedList } from '../parts/windowed-list.tsx'
import { useSession } from '../session-context.ts'
import { ArchivedStreams } from './archived-streams.tsx'
import { NewStream } from './new-stream.tsx'

/** How high a row is, about. */
const ROW_PX = 50
/** All streams there are for the reader, to join, leave and make. */
export function Streams() {
  const session = useSession()
  const readOnly = isReadOnly(session)
  const query = useSignal('')
  const creating = useSignal(false)
  const showsArchived = useSignal(false)
  const state = session.read('streams', 'organization', 'groups', 'users')
  const { subscriptions, unsubscribed, never_subscribed, can_create_streams } = state
  const joined = new Map(subscriptions.map((stream) => [stream.stream_id, stream]))
  const all = [...subscriptions, ...unsubscribed, ...never_subscribed]
    .filter(({ is_archived }) => !is_archived)
    .sort((a, b) => compareNames(a.name, b.name))
  const found = query.value.trim() === '' ? all : best(all, folded(query.value.trim()), ({ name }) => name, all.length)
  const { client } = session
  const toggle = (name: string, leave: boolean) =>
    attempt(async () => {
      if (leave) await client.unsubscribe({ subscriptions: [name] })
      else await client.subscribe({ subscriptions: [{ name }] })
      notify(leave ? pageTexts.channels.left(isolated(name)) : pageTexts.channels.joined(isolated(name)))
    })
  return (
    <ListPage
      title={texts.places.channels}
      actions={
        can_create_streams && (
          <button
            type="button"
            class="primary"
            aria-expanded={creating.value}
            onClick={() => (creating.value = !creating.value)}
          >
            {pageTexts.channels.new}
          </button>
        )
      }
    >
      {creating.value && <NewStream onDone={() => (creating.value = false)} />}
      <Filter label={pageTexts.channels.find} total={all.length} query={query} />
      <WindowedList
        class="streams"
        label={texts.places.channels}
        items={found}
        keyOf={({ stream_id }) => String(stream_id)}
        guess={() => ROW_PX}
      >
        {(stream) => {
          const { stream_id, name, description, invite_only, subscriber_count } = stream
          const own = joined.get(stream_id)
          return (
            <>
              <a
                class="row walked"
                href={narrowAddress([{ operator: 'channel', operand: stream_id }], undefined, () => name)}
              >
                <StreamMark stream={own ?? { invite_only }} />
                <span class="name">
                  {name}
                  <span class="quiet small">
                    <span>{pageTexts.people.count(subscriber_count)}</span>
                    {description && <span> · </span>}
                    {description && <span class="description">{description}</span>}
                  </span>
                </span>
              </a>
              {!readOnly && (
                <>
                  <a
                    class="icon-button"
                    href={`#streams/${stream_id}`}
                    aria-label={pageTexts.channels.settingsOf(name)}
                    title={texts.places.settings}
                  >
                    <Icon name="settings" />
                  </a>
                  {(own || mayJoin(state, stream)) && (
                    <button
                      type="button"
                      data-leaves={own ? '' : undefined}
                      aria-label={own ? pageTexts.channels.leaveName(name) : pageTexts.channels.joinName(name)}
                      onClick={() => toggle(name, own !== undefined)}
                    >
                      {own ? pageTexts.channels.leave : texts.compose.join}
                    </button>
                  )}
                </>
              )}
            </>
          )
        }}
      </WindowedList>
      {!readOnly && (
        <p class="archived">
          <button
            type="button"
            aria-expanded={showsArchived.value}
            onClick={() => (showsArchived.value = !showsArchived.value)}
          >
            {pageTexts.channels.archived}
          </button>
        </p>
      )}
      {showsArchived.value && <ArchivedStreams />}
    </ListPage>
  )
}
