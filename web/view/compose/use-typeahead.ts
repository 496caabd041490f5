import { untracked, useSignal, useSignalEffect } from '@preact/signals'
import type { RefObject } from 'preact'
import { useId } from 'preact/hooks'
import type { Conversation } from '../../model/reading/conversations.ts'
import { later } from '../../model/state/later.ts'
import type { Session } from '../../model/state/session.ts'
import type { Suggestion } from '../../model/writing/suggestion.ts'
import type { Suggestions } from '../../model/writing/typeahead.ts'
import { type Choices, listAttributes } from '../parts/combobox.ts'
import { insertText } from './insert-text.ts'

const finder = later(() => import('./suggestions.ts'))

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
    found.value = finder.part.peek()?.suggest(session, value, selectionStart, to())
    active.value = 0
  }
  // Emoji are fetched when the first one is typed, and people soon after the start. By then the word may be complete.
  useSignalEffect(() => {
    const part = finder.part.value
    const isMoreKnown = [part?.isEmojiLoaded(), session.isPeopleKnown.value, part !== undefined].includes(true)
    if (isMoreKnown) untracked(() => document.activeElement === box.current && look())
  })
  const choose = (item: Suggestion) => {
    const range = found.value
    close()
    if (range) insertText(box.current, item.insert, range)
  }
  const choices: Choices<Suggestion> = { id, items: found.value?.items ?? [], active, choose }
  /** Whether the key was for the list. */
  const onKeyDown = (event: KeyboardEvent): boolean => {
    if (finder.part.peek()?.chooseByKey(choices, event)) return true
    if (event.key !== 'Escape' || !found.value) return false
    close()
    event.preventDefault()
    return true
  }
  const attributes = { onFocus: finder.load, ...listAttributes(choices) }
  return { box, choices, List: finder.part.value?.TypeaheadList, look, close, onKeyDown, attributes }
}
