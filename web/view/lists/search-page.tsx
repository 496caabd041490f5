import { operatorsFor } from '../../model/finding/search.ts'
import { SearchField } from '../search/search-field.tsx'
import { useSession } from '../session-context.ts'
import { ListPage } from './list-page.tsx'

/** Search with room for it, as on a phone, and what can be searched by. */
export function SearchPage() {
  return (
    <ListPage title="Search">
      <SearchField placeholder="Words, or an operator" autofocus />
      <h2>Operators</h2>
      <dl class="operators">
        {operatorsFor(useSession()).map(({ operator, example, text }) => (
          <div key={operator}>
            <dt>{example}</dt>
            <dd class="quiet">{text}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">A minus before an operator leaves out what it finds: -sender:ann.</p>
    </ListPage>
  )
}
