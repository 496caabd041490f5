import { useComputed, useSignal, useSignalEffect } from '@preact/signals'
import { useId } from 'preact/hooks'
import type { Narrow } from '../../../src/client/index.ts'
import { isSearch, parseSearch, takeTerms } from '../../model/search/search.ts'
import type { SearchSuggestion } from '../../model/search/suggestions.ts'
import { later } from '../../model/state/later.ts'
import { loadPart } from '../../model/state/load-part.ts'
import { goToNarrow, place } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { inOpenStreams } from '../../model/state/spectator.ts'

const suggester = later(async () => (await import('../../model/search/loaded-search.ts')).suggestSearch)

/** A search that is being written: whole terms, and a text after them. */
export function useSearch(session: Session) {
  const terms = useSignal<Narrow>([])
  const text = useSignal('')
  const isOpen = useSignal(false)
  // A stream's topics are fetched when they are first needed.
  const found = useComputed(() => (isOpen.value && suggester.part.value?.(session, terms.value, text.value)) || [])
  /** The suggestion that Enter takes; none before an arrow key. */
  const active = useSignal(-1)
  const problem = useSignal('')
  const id = useId()

  // On the page of a search, the field contains it for editing.
  useSignalEffect(() => {
    const where = place.value
    const narrow = where.view === 'feed' && isSearch(where.narrow, session.state.user_id) ? where.narrow : []
    terms.value = narrow.filter(({ operator }) => operator !== 'search')
    text.value = narrow.flatMap(({ operator, operand }) => (operator === 'search' ? [String(operand)] : [])).join(' ')
    problem.value = ''
    close()
  })
  function close(): void {
    isOpen.value = false
    active.value = -1
  }
  const look = () => {
    suggester.load()
    isOpen.value = true
    active.value = -1
  }
  const write = (written: string) => {
    const taken = takeTerms(session, written)
    if (taken.terms.length > 0) terms.value = [...terms.value, ...taken.terms]
    text.value = taken.rest
    problem.value = ''
    look()
  }
  const choose = ({ term, insert = '' }: SearchSuggestion) => {
    if (term) terms.value = [...terms.value, term]
    text.value = text.value.replace(/-?[a-z-]+:"?[^"]*$|\S*$/iu, insert)
    look()
  }
  const submit = async () => {
    const narrow = [...terms.value, ...parseSearch(session, text.value)]
    close()
    const { searchProblem } = await loadPart(() => import('../../model/search/loaded-search.ts'))
    problem.value = searchProblem(narrow) ?? ''
    if (narrow.length > 0 && problem.value === '') goToNarrow(inOpenStreams(session, narrow))
  }
  const remove = (at: number) => {
    terms.value = terms.value.filter((_, i) => i !== at)
    look()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    const { length } = found.value
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key]
    const chosen = found.value[active.value]
    if (step !== undefined && length > 0)
      active.value = (active.value + step + length + (active.value < 0 && step < 0 ? 1 : 0)) % length
    else if (event.key === 'Enter' && chosen) choose(chosen)
    else if (event.key === 'Tab' && length > 0 && text.value !== '' && !event.shiftKey)
      choose(chosen ?? found.value[0]!)
    else if (event.key === 'Escape' && length > 0) close()
    else if (event.key === 'Backspace' && text.value === '' && terms.value.length > 0) remove(terms.value.length - 1)
    else return
    event.preventDefault()
  }
  return { id, terms, text, found, active, problem, write, look, choose, submit, remove, close, onKeyDown }
}
