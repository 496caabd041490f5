import { useSignal } from '@preact/signals'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { ChoiceList } from './choice-list.tsx'
import { chooseByKey } from './choose-by-key.ts'
import { fieldAttributes } from './combobox.ts'
import { isComposed } from './key-name.ts'

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
  const choices = { id, items: found, active, choose }
  return (
    <div class="jump">
      <input
        ref={input}
        type="text"
        role="combobox"
        aria-expanded={choices.items.length > 0}
        {...fieldAttributes(choices)}
        aria-label={label}
        placeholder={placeholder}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value
          active.value = 0
        }}
        onKeyDown={(event) => void (isComposed(event) || chooseByKey(choices, event))}
      />
      <ChoiceList choices={choices} label={pieceTexts.palette.results} keyOf={({ key }) => key}>
        {(one) => (
          <>
            <span class="name">{one.label}</span>
            <span class="quiet small">{one.kind}</span>
          </>
        )}
      </ChoiceList>
      {found.length === 0 && <p class="quiet">{pieceTexts.palette.nothing}</p>}
    </div>
  )
}
