import type { Signal } from '@preact/signals'
import { pageTexts } from '../../texts/page-texts.ts'

interface FilterProps {
  label: string
  /** The number of entries to search; 0 while it isn't known. */
  total: number
  query: Signal<string>
}

/** A box that filters a list. */
export const Filter = ({ label, total, query }: FilterProps) => (
  <input
    type="search"
    class="filter"
    aria-label={label}
    placeholder={total > 0 ? pageTexts.lists.filter(total) : ''}
    value={query.value}
    onInput={(event) => (query.value = event.currentTarget.value)}
  />
)
