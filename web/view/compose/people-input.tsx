import { useSignal } from '@preact/signals'
import { useEffect, useId } from 'preact/hooks'
import { nameOf } from '../../model/reading/people.ts'
import { later } from '../../model/state/later.ts'
import { texts } from '../../texts/texts.ts'
import { isComposed } from '../keys/key-name.ts'
import { Avatar } from '../parts/avatar.tsx'
import { Icon } from '../parts/icon.tsx'
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
  const id = useId()
  useEffect(finder.load, [])
  const matches = query.value.trim() === '' ? [] : (finder.part.value?.(session, query.value.trim(), 6) ?? [])
  const found = matches.filter((person) => !user_ids.includes(person.user_id))
  const add = (user_id: number | undefined) => {
    if (user_id === undefined) return
    onChange([...user_ids, user_id].sort((a, b) => a - b))
    query.value = ''
    active.value = 0
  }
  const onKeyDown = (event: KeyboardEvent) => {
    if (event.key !== 'Escape') event.stopPropagation()
    if (isComposed(event)) return
    if (event.key === 'ArrowDown') active.value = Math.min(found.length - 1, active.value + 1)
    else if (event.key === 'ArrowUp') active.value = Math.max(0, active.value - 1)
    else if (event.key === 'Enter' || (event.key === 'Tab' && found.length > 0)) add(found[active.value]?.user_id)
    else if (event.key === 'Backspace' && query.value === '') {
      // Holding the key down empties the text, but then removes no recipients.
      if (user_ids.length > 0 && !event.repeat) onChange(user_ids.slice(0, -1))
    } else return
    if (event.key !== 'Backspace') event.preventDefault()
  }
  return (
    <div class="people-input">
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
        role="combobox"
        aria-label={label}
        aria-expanded={found.length > 0}
        aria-controls={id}
        aria-activedescendant={found.length > 0 ? `${id}-${active.value}` : undefined}
        autocomplete="off"
        placeholder={user_ids.length === 0 ? placeholder : ''}
        data-filled={user_ids.length > 0 ? '' : undefined}
        value={query.value}
        onInput={(event) => {
          query.value = event.currentTarget.value
          active.value = 0
        }}
        onKeyDown={onKeyDown}
      />
      <div id={id} class="suggestions" role="listbox" aria-label={texts.compose.recipients} hidden={found.length === 0}>
        {found.map(({ user_id, full_name }, i) => (
          // biome-ignore lint/a11y/useKeyWithClickEvents: the input handles the keys.
          <div
            key={user_id}
            id={`${id}-${i}`}
            role="option"
            tabIndex={-1}
            aria-selected={i === active.value}
            onPointerDown={(event) => event.preventDefault()}
            onClick={() => add(user_id)}
          >
            <Avatar user_id={user_id} size={20} /> {full_name}
          </div>
        ))}
      </div>
    </div>
  )
}
