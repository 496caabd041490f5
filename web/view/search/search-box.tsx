import { texts } from '../../texts/texts.ts'
import { SearchField } from './search-field.tsx'

export const SEARCH_BOX = 'search-box'

/** A search field at the side of every view. */
export const SearchBox = () => (
  <div class="search-box">
    <SearchField id={SEARCH_BOX} placeholder={texts.common.search} />
    <kbd>/</kbd>
  </div>
)
