import { useSignal } from '@preact/signals'
import { parseSearch } from '../../model/finding/search.ts'
import { goToNarrow } from '../../model/state/route.ts'
import { Icon } from '../parts/icon.tsx'
import { useSession } from '../session-context.ts'

export const SEARCH_BOX = 'search-box'

/** Words and operators to search for. */
export function SearchBox() {
  const session = useSession()
  const text = useSignal('')
  const submit = (event: Event) => {
    event.preventDefault()
    const narrow = parseSearch(session, text.value)
    if (narrow.length > 0) goToNarrow(narrow)
  }
  return (
    <search>
      <form class="search-box" onSubmit={submit}>
        <Icon name="search" />
        <input
          id={SEARCH_BOX}
          type="search"
          aria-label="Search messages"
          placeholder="Search"
          enterkeyhint="search"
          value={text.value}
          onInput={(event) => {
            text.value = event.currentTarget.value
          }}
        />
        <kbd>/</kbd>
      </form>
    </search>
  )
}
