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
import type { Choices } from '../parts/combobox.ts'

const suggester = later(() => import('./loaded-search.ts'))

/** A search that is being written: whole terms, and a text after them. */
export function useSearch(session: Session) {
  const terms = useSignal<Narrow>([])
  const text = useSignal('')
  const isOpen = useSignal(false)
  // A stream's topics are fetched when they are first needed.
  const found = useComputed(
    () => (isOpen.value && suggester.part.value?.suggestSearch(session, terms.value, text.value)) || [],
  )
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
    const { searchProblem } = await loadPart(() => import('./loaded-search.ts'))
    problem.value = searchProblem(narrow) ?? ''
    if (narrow.length > 0 && problem.value === '') goToNarrow(inOpenStreams(session, narrow))
  }
  const remove = (at: number) => {
    terms.value = terms.value.filter((_, i) => i !== at)
    look()
  }
  const choices: Choices<SearchSuggestion> = { id, items: found.value, active, choose }
  const onKeyDown = (event: KeyboardEvent) => {
    const { length } = found.value
    if (event.key === 'Tab' && length > 0 && text.value !== '' && active.value < 0) active.value = 0
    if (suggester.part.peek()?.chooseByKey(choices, event)) return
    if (event.key === 'Escape' && length > 0) close()
    else if (event.key === 'Backspace' && text.value === '' && terms.value.length > 0) remove(terms.value.length - 1)
    else return
    event.preventDefault()
  }
  return {
    id,
    terms,
    text,
    choices,
    List: suggester.part.value?.ChoiceList,
    problem,
    write,
    look,
    submit,
    remove,
    close,
    onKeyDown,
  }
}
