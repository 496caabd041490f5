import {
  chooseRecent,
  type FilterName,
  filterNames,
  type Order,
  orders,
  recentChoice,
  toggleFilter,
} from '../../model/navigation/recent-filters.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'

const filterLabels: Readonly<Record<FilterName, string>> = {
  unread: pieceTexts.recent.unread,
  mentions: pieceTexts.recent.mentions,
  participated: pieceTexts.recent.participated,
  followed: pieceTexts.recent.followed,
  muted: pieceTexts.recent.muted,
}
const orderLabels: Readonly<Record<Order, string>> = {
  newest: pieceTexts.recent.newest,
  unread: pieceTexts.recent.mostUnread,
  name: pieceTexts.recent.name,
}

/** Chooses which recent conversations are listed, and their order. */
export function RecentBar() {
  const { filters, order } = recentChoice.value
  return (
    <div class="filter-bar" role="toolbar" aria-label={pieceTexts.recent.filters}>
      {filterNames.map((name) => (
        <button key={name} type="button" aria-pressed={filters.includes(name)} onClick={() => toggleFilter(name)}>
          {filterLabels[name]}
        </button>
      ))}
      <span class="space" />
      <select
        aria-label={pieceTexts.recent.order}
        value={order}
        onChange={(event) => chooseRecent({ order: event.currentTarget.value as Order })}
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
