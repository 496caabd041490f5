import {
  chooseRecent,
  filterNames,
  type Order,
  orders,
  recentChoice,
  toggleFilter,
} from '../../model/navigation/recent-filters.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { useSession } from '../session-context.ts'
import { FilterButtons } from './filter-buttons.tsx'

const orderLabels: Readonly<Record<Order, string>> = {
  newest: pieceTexts.recent.newest,
  unread: pieceTexts.recent.mostUnread,
  name: pieceTexts.recent.name,
}

/** Chooses which recent conversations are listed, and their order. */
export function RecentBar() {
  const session = useSession()
  const { filters, order } = recentChoice(session).value
  return (
    <div class="filter-bar" role="toolbar" aria-label={pieceTexts.recent.filters}>
      <FilterButtons names={filterNames} chosen={filters} toggle={(name) => toggleFilter(session, name)} />
      <span class="space" />
      <select
        aria-label={pieceTexts.recent.order}
        value={order}
        onChange={(event) => chooseRecent(session, { order: event.currentTarget.value as Order })}
      >
        {orders.map((name) => (
          <option key={name} value={name}>
            {orderLabels[name]}
          </option>
        ))}
      </select>
    </div>
  )
}
