import { untracked, useSignal, useSignalEffect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useId } from 'preact/hooks'
import type { Conversation } from '../../model/reading/conversations.ts'
import { later } from '../../model/state/later.ts'
import type { Session } from '../../model/state/session.ts'
import { emojiLoaded } from '../../model/writing/emoji.ts'
import type { Suggestion } from '../../model/writing/suggestion.ts'
import type { Suggestions } from '../../model/writing/typeahead.ts'
import { insertText } from './insert-text.ts'

const finder = later(async () => (await import('../../model/writing/typeahead.ts')).suggest)

/** Suggestions for the word before the caret, walked by arrow keys; `to` is where the text goes. */
export function useTypeahead(
  session: Session,
  box: RefObject<HTMLTextAreaElement | null>,
  to: () => Conversation | undefined,
) {
  const found = useSignal<Suggestions | undefined>(undefined)
  const active = useSignal(0)
  const id = useId()
  const close = () => {
    found.value = undefined
  }
  const look = () => {
    const { value = '', selectionStart = 0 } = box.current ?? {}
    finder.load()
    found.value = finder.part.peek()?.(session, value, selectionStart, to())
    active.value = 0
  }
  // Emoji are fetched when the first one is typed, and people soon after the start. By then the word may be complete.
  useSignalEffect(() => {
    const isMoreKnown = [emojiLoaded.value, session.isPeopleKnown.value, finder.part.value !== undefined].includes(true)
    if (isMoreKnown) untracked(() => document.activeElement === box.current && look())
  })
  const choose = (item: Suggestion) => {
    const range = found.value
    close()
    if (range) insertText(box.current, item.insert, range)
  }
  /** Whether the key was for the list. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    const items = found.value?.items
    if (!items) return false
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    if (step !== undefined) active.value = (active.value + step + items.length) % items.length
    else if ((event.key === 'Enter' && !event.ctrlKey && !event.metaKey) || event.key === 'Tab')
      choose(items[active.value]!)
    else if (event.key === 'Escape') close()
    else return false
    event.preventDefault()
    return true
  }
  const attributes = {
    onFocus: finder.load,
    'aria-controls': found.value ? id : undefined,
    'aria-activedescendant': found.value ? `${id}-${active.value}` : undefined,
    'aria-autocomplete': 'list' as const,
  }
  return { id, found, active, look, choose, close, onKeyDown, attributes }
}

export type Typeahead = ReturnType<typeof useTypeahead>
