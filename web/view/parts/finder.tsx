import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { isComposed } from '../keys/key-name.ts'

export interface Found {
  key: string
  label: string
  /** The kind of thing, in a word. */
  kind: string
}

interface FinderProps<T extends Found> {
  label: string
  placeholder: string
  /** Returns what was typed before this was loaded. */
  begun(): string
  find(query: string): readonly T[]
  choose(found: T): void
}

/** Finds something by part of its name. Arrow keys move between the results, and Enter chooses one. */
export function Finder<T extends Found>({ label, placeholder, begun, find, choose }: FinderProps<T>) {
  const query = useSignal('')
  const active = useSignal(0)
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  useLayoutEffect(() => {
    query.value = begun()
    input.current!.focus()
  }, [])
  const found = find(query.value)
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposed(event)) return
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = found[active.value]
    if (step !== undefined) active.value = (active.value + step + found.length) % Math.max(1, found.length)
    else if (event.key === 'Enter' && chosen) choose(chosen)
    else return
    event.preventDefault()
  }
  return (
    <div class="jump">
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-autocomplete="list"
        aria-label={label}
        aria-expanded="true"
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${active.value}` : undefined}
        autocomplete="off"
        placeholder={placeholder}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value
          active.value = 0
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} class="suggestions" role="listbox" aria-label={pieceTexts.palette.results}>
        {found.map((one, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the box handles the keys.
          <div
            key={one.key}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === active.value}
            onClick={() => choose(one)}
          >
            <span class="name">{one.label}</span>
            <span class="quiet small">{one.kind}</span>
          </div>
        ))}
      </div>
      {found.length === 0 && <p class="quiet">{pieceTexts.palette.nothing}</p>}
    </div>
  )
}
