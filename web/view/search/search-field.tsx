import { useRef } from 'preact/hooks'
import { termText } from '../../model/search/search.ts'
import { texts } from '../../texts/texts.ts'
import { fieldAttributes } from '../parts/combobox.ts'
import { Icon } from '../parts/icon.tsx'
import { isComposed } from '../parts/key-name.ts'
import { attempt } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { useSearch } from './use-search.ts'

interface SearchFieldProps {
  /** Id of the box. */
  id?: string
  placeholder: string
  autofocus?: boolean
}

/** A search field for words and operators. A complete operator is shown as a pill. */
export function SearchField({ id: boxId, placeholder, autofocus = false }: SearchFieldProps) {
  const session = useSession()
  const box = useRef<HTMLInputElement>(null)
  const search = useSearch(session)
  const { id, terms, text, choices, problem, List } = search
  const submit = (event: Event) => {
    event.preventDefault()
    attempt(search.submit)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (isComposed(event)) return
    search.onKeyDown(event)
    if (event.key === 'Escape' && !event.defaultPrevented) box.current?.blur()
  }
  return (
    <search>
      <form class="search-field" onSubmit={submit}>
        <div class="pills">
          <Icon name="search" />
          {terms.value.map((term, i) => {
            const shown = termText(session, term)
            return (
              <button
                key={shown}
                type="button"
                class="pill"
                aria-label={texts.search.removeTerm(shown)}
                onClick={() => {
                  search.remove(i)
                  box.current?.focus()
                }}
              >
                {shown} <Icon name="close" />
              </button>
            )
          })}
          <input
            ref={box}
            id={boxId}
            type="text"
            role="combobox"
            aria-expanded={choices.items.length > 0}
            {...fieldAttributes(choices)}
            aria-label={texts.search.placeholder}
            aria-describedby={problem.value ? `${id}-problem` : undefined}
            enterkeyhint="search"
            autofocus={autofocus}
            placeholder={terms.value.length > 0 ? '' : placeholder}
            value={text.value}
            onInput={(event) => search.write(event.currentTarget.value)}
            onFocus={search.look}
            onBlur={search.close}
            onKeyDown={onKeyDown}
          />
        </div>
        {List && (
          <List
            choices={choices}
            label={texts.common.suggestions}
            beside={() => box.current?.parentElement}
            keyOf={({ key }) => key}
          >
            {({ label, about }) => (
              <>
                <span class="name">{label}</span>
                <span class="quiet small about">{about}</span>
              </>
            )}
          </List>
        )}
        <p id={`${id}-problem`} class="problem small" role="alert">
          {problem.value}
        </p>
      </form>
    </search>
  )
}
