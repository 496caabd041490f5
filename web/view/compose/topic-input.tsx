import { useSignal } from '@preact/signals'
import { useId, useRef } from 'preact/hooks'
import { topicName } from '../../model/reading/conversations.ts'
import { type Topic, topicsOf } from '../../model/reading/topics.ts'
import { unreadIn } from '../../model/reading/unread.ts'
import { best, folded } from '../../model/writing/matching.ts'
import { texts } from '../../texts/texts.ts'
import { ChoiceList } from '../parts/choice-list.tsx'
import { chooseByKey } from '../parts/choose-by-key.ts'
import { fieldAttributes } from '../parts/combobox.ts'
import { Count } from '../parts/count.tsx'
import { isComposed } from '../parts/key-name.ts'
import { useSession } from '../session-context.ts'

interface TopicInputProps {
  stream_id: number
  topic: string
  onChange(topic: string): void
  /** For a label outside, which then is its name. */
  inputId?: string
  /** Its name otherwise. */
  label?: string
}

/** How many topics are offered. */
const MOST = 8

/** The topic of a message in a channel. Offers topics that match what is typed, newest first. */
export function TopicInput({ stream_id, topic, onChange, inputId, label }: TopicInputProps) {
  const session = useSession()
  const id = useId()
  const input = useRef<HTMLInputElement>(null)
  const isOpen = useSignal(false)
  /** None before an arrow key, as another topic may be meant. */
  const active = useSignal(-1)
  const close = () => {
    isOpen.value = false
    active.value = -1
  }
  const all = topicsOf(session, stream_id).value ?? []
  const found = isOpen.value ? best(all, folded(topic), ({ name }) => name, MOST) : []
  const isWritten = found.length === 1 && found[0]!.name === topic
  const choose = ({ name }: Topic) => {
    onChange(name)
    close()
  }
  const choices = { id, items: isWritten ? [] : found, active, choose }
  const onKeyDown = (event: KeyboardEvent) => {
    if (isComposed(event) || chooseByKey(choices, event)) return
    if (event.key !== 'Escape' || choices.items.length === 0) return
    close()
    // Neither the composer nor a dialog closes.
    event.stopPropagation()
    event.preventDefault()
  }
  return (
    <>
      <input
        ref={input}
        id={inputId}
        type="text"
        role="combobox"
        aria-expanded={choices.items.length > 0}
        {...fieldAttributes(choices)}
        aria-label={label}
        placeholder={label}
        dir="auto"
        maxLength={session.state.max_topic_length}
        data-filled={topic === '' ? undefined : ''}
        value={topic}
        onInput={(event) => {
          onChange(event.currentTarget.value)
          isOpen.value = true
          active.value = -1
        }}
        onKeyDown={onKeyDown}
        onPointerDown={() => (isOpen.value = true)}
        onBlur={close}
      />
      <ChoiceList
        choices={choices}
        label={texts.common.suggestions}
        beside={() => input.current}
        keyOf={({ name }) => name}
      >
        {({ name }) => (
          <>
            <span class="name">{topicName(name, session.state)}</span>
            <Count of={unreadIn(session, { type: 'stream', stream_id, topic: name }).length} />
          </>
        )}
      </ChoiceList>
    </>
  )
}
