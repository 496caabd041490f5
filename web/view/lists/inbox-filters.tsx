import { useSignal } from '@preact/signals'
import { inboxShows, showWholeInbox } from '../../model/navigation/inbox.ts'
import { type InboxFilter, inboxFilters, showsOnly } from '../../model/navigation/inbox-filters.ts'
import { ownConversations } from '../../model/navigation/own-conversations.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { Nothing } from '../parts/nothing.tsx'
import { attempt } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { FilterButtons } from './filter-buttons.tsx'

/** Chooses which unread conversations the inbox shows. `rows` is how many it shows now. */
export function InboxFilters({ rows }: { rows: number }) {
  const session = useSession()
  const chosen = useSignal<readonly InboxFilter[]>([])
  const choose = (names: readonly InboxFilter[]) => {
    chosen.value = names
    if (names.includes('participated')) attempt(() => ownConversations(session).load())
    if (names.length === 0) showWholeInbox(session)
    else inboxShows(session).value = showsOnly(names)
  }
  const toggle = (name: InboxFilter) =>
    choose(chosen.value.includes(name) ? chosen.value.filter((one) => one !== name) : [...chosen.value, name])
  return (
    <>
      <div class="filter-bar" role="toolbar" aria-label={pieceTexts.recent.filters}>
        <FilterButtons names={inboxFilters} chosen={chosen.value} toggle={toggle} />
      </div>
      {rows === 0 && chosen.value.length > 0 && (
        <Nothing icon="search">
          {pieceTexts.recent.nothing}{' '}
          <button type="button" onClick={() => choose([])}>
            {pieceTexts.recent.clear}
          </button>
        </Nothing>
      )}
    </>
  )
}
