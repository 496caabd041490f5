import { useSignal } from '@preact/signals'
import { useEffect, useId, useRef } from 'preact/hooks'
import { nameOf, type Person } from '../../model/reading/people.ts'
import { later } from '../../model/state/later.ts'
import { texts } from '../../texts/texts.ts'
import { Avatar } from '../parts/avatar.tsx'
import { ChoiceList } from '../parts/choice-list.tsx'
import { chooseByKey } from '../parts/choose-by-key.ts'
import { fieldAttributes } from '../parts/combobox.ts'
import { Icon } from '../parts/icon.tsx'
import { isComposed } from '../parts/key-name.ts'
import { useSession } from '../session-context.ts'

const finder = later(async () => (await import('../../model/writing/typeahead.ts')).findPeople)

interface PeopleInputProps {
  user_ids: readonly number[]
  onChange(user_ids: readonly number[]): void
  label?: string
  placeholder?: string
}

/** People, chosen by a part of their names. */
export function PeopleInput({
  user_ids,
  onChange,
  label = texts.compose.recipients,
  placeholder = texts.compose.addRecipient,
}: PeopleInputProps) {
  const session = useSession()
  const query = useSignal('')
  const active = useSignal(0)
  const isOpen = useSignal(false)
  const id = useId()
  const root = useRef<HTMLDivElement>(null)
  useEffect(finder.load, [])
  const matches =
    !isOpen.value || query.value.trim() === '' ? [] : (finder.part.value?.(session, query.value.trim(), 6) ?? [])
  const found = matches.filter((person) => !user_ids.includes(person.user_id))
  const choose = ({ user_id }: Person) => {
    onChange([...user_ids, user_id].sort((a, b) => a - b))
    query.value = ''
    active.value = 0
  }
  const choices = { id, items: found, active, choose }
  const onKeyDown = (event: KeyboardEvent) => {
    // The first Escape closes the list only.
    const closes = event.key === 'Escape' && found.length > 0 && !isComposed(event)
    if (event.key !== 'Escape' || closes) event.stopPropagation()
    if (closes) {
      event.preventDefault()
      isOpen.value = false
      return
    }
    if (isComposed(event) || chooseByKey(choices, event)) return
    // It sends no form.
    if (event.key === 'Enter') event.preventDefault()
    // Holding the key down empties the text, but then removes no recipients.
    const isEmptied = event.key === 'Backspace' && query.value === '' && !event.repeat
    if (isEmptied && user_ids.length > 0) onChange(user_ids.slice(0, -1))
  }
  return (
    <div ref={root} class="people-input">
      {user_ids.map((user_id) => (
        <button
          key={user_id}
          type="button"
          class="pill"
          aria-label={texts.common.removeName(nameOf(session, user_id))}
          onClick={() => onChange(user_ids.filter((one) => one !== user_id))}
        >
          {nameOf(session, user_id)} <Icon name="close" />
        </button>
      ))}
      <input
        type="text"
        role="combobox"
        aria-expanded={choices.items.length > 0}
        {...fieldAttributes(choices)}
        aria-label={label}
        placeholder={user_ids.length === 0 ? placeholder : ''}
        data-filled={user_ids.length > 0 ? '' : undefined}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value
          active.value = 0
          isOpen.value = true
        }}
        onFocus={() => (isOpen.value = true)}
        onBlur={() => (isOpen.value = false)}
        onKeyDown={onKeyDown}
      />
      <ChoiceList
        choices={choices}
        label={texts.compose.recipients}
        beside={() => root.current}
        keyOf={({ user_id }) => user_id}
      >
        {({ user_id, full_name }) => (
          <>
            <Avatar user_id={user_id} size={20} /> {full_name}
          </>
        )}
      </ChoiceList>
    </div>
  )
}
