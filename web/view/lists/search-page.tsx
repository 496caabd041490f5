import { operatorsFor } from '../../model/search/operators.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { SearchField } from '../search/search-field.tsx'
import { useSession } from '../session-context.ts'
import { ListPage } from './list-page.tsx'

/** Search with room for it, as on a phone, and what can be searched by. */
export function SearchPage() {
  return (
    <ListPage title={texts.places.search}>
      <SearchField placeholder={texts.search.placeholder} autofocus />
      <h2>{pieceTexts.search.operators}</h2>
      <dl class="operators">
        {operatorsFor(useSession()).map(({ operator, example, text }) => (
          <div key={operator}>
            <dt>{example}</dt>
            <dd class="quiet">{text}</dd>
          </div>
        ))}
      </dl>
      <p class="quiet">{pieceTexts.search.exclude}</p>
    </ListPage>
  )
}
