import { useSignal } from '@preact/signals'
import type { ComponentChildren } from 'preact'
import { useId, useLayoutEffect, useRef } from 'preact/hooks'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { ChoiceList } from './choice-list.tsx'
import { chooseByKey } from './choose-by-key.ts'
import { fieldAttributes } from './combobox.ts'
import { isComposed } from './key-name.ts'

export interface Found {
  key: string
  label: string
  /** A word about it, at the end of its line. */
  about: string | undefined
}

interface FinderProps<T extends Found> {
  label: string
  placeholder: string
  /** Returns what was typed before this was loaded. */
  begun(): string
  find(query: string): readonly T[]
  /** The icon of a result. */
  mark(found: T): ComponentChildren
  choose(found: T): void
}

/** Finds something by part of its name. Arrow keys move between the results, and Enter chooses one. */
export function Finder<T extends Found>({ label, placeholder, begun, find, mark, choose }: FinderProps<T>) {
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
            {mark(one)}
            <span class="name">{one.label}</span>
            {one.about && <span class="quiet small">{one.about}</span>}
          </>
        )}
      </ChoiceList>
      {found.length === 0 && <p class="quiet">{pieceTexts.palette.nothing}</p>}
    </div>
  )
}
