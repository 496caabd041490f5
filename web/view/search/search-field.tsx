import { useRef } from 'preact/hooks'
import { termText } from '../../model/search/search.ts'
import { texts } from '../../texts/texts.ts'
import { isComposed } from '../keys/key-name.ts'
import { Icon } from '../parts/icon.tsx'
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
  const { id, terms, text, found, active, problem } = search
  const isOpen = found.value.length > 0
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
            aria-label={texts.search.label}
            aria-autocomplete="list"
            aria-expanded={isOpen}
            aria-controls={id}
            aria-activedescendant={active.value >= 0 ? `${id}-${active.value}` : undefined}
            aria-describedby={problem.value ? `${id}-problem` : undefined}
            autocomplete="off"
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
        <div id={id} class="suggestions" role="listbox" aria-label={texts.common.suggestions} hidden={!isOpen}>
          {found.value.map((suggestion, i) => (
            // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys.
            <div
              key={suggestion.key}
              id={`${id}-${i}`}
              role="option"
              tabIndex={-1}
              aria-selected={i === active.value}
              onPointerDown={(event) => event.preventDefault()}
              onClick={() => search.choose(suggestion)}
            >
              <span class="name">{suggestion.label}</span>
              <span class="quiet small">{suggestion.about}</span>
            </div>
          ))}
        </div>
        <p id={`${id}-problem`} class="problem small" role="alert">
          {problem.value}
        </p>
      </form>
    </search>
  )
}
