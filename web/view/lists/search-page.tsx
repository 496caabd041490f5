import { useSignal } from '@preact/signals'
import { operators, parseSearch } from '../../model/finding/search.ts'
import { goToNarrow } from '../../model/state/route.ts'
import { useSession } from '../session-context.ts'
import { ListPage } from './list-page.tsx'

/** Search with room for it, as on a phone, and what can be searched by. */
export function SearchPage() {
  const session = useSession()
  const text = useSignal('')
  const submit = (event: Event) => {
    event.preventDefault()
    const narrow = parseSearch(session, text.value)
    if (narrow.length > 0) goToNarrow(narrow)
  }
  return (
    <ListPage title="Search">
      <search>
        <form class="search-page" onSubmit={submit}>
          <input
            type="search"
            aria-label="Search messages"
            placeholder="Words, or an operator"
            enterkeyhint="search"
            autofocus
            value={text.value}
            onInput={(event) => (text.value = event.currentTarget.value)}
          />
          <button type="submit" class="primary">
            Search
          </button>
        </form>
      </search>
      <h2>Operators</h2>
      <ul class="operators">
        {operators.map(({ operator, example, text: about }) => (
          <li key={operator}>
            <button type="button" onClick={() => (text.value = `${text.value} ${example}`.trim())}>
              {example}
            </button>
            <span class="quiet">{about}</span>
          </li>
        ))}
      </ul>
      <p class="quiet">A minus before an operator leaves out what it finds: -sender:ann.</p>
    </ListPage>
  )
}
