import { useSignal } from '@preact/signals'
import { useEffect, useRef } from 'preact/hooks'
import type { Message } from '../../../src/client/index.ts'
import { editedText, endEdit, leaveEdit, saveEdit, writeEdit } from '../../model/writing/edit.ts'
import { notify, reasonOf } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { messageElement } from './current-feed.ts'

/** A message being edited where it stands. */
export function EditBox({ message }: { message: Message }) {
  const session = useSession()
  const text = useSignal(editedText(message.id))
  const problem = useSignal('')
  const box = useRef<HTMLTextAreaElement>(null)
  useEffect(() => {
    const element = box.current!
    element.focus()
    element.setSelectionRange(element.value.length, element.value.length)
    return () => messageElement(message.id)?.focus({ preventScroll: true })
  }, [message.id])
  const save = async () => {
    try {
      await saveEdit(session, message.id, text.value)
    } catch (error) {
      problem.value = reasonOf(error)
    }
  }
  const leave = () => {
    if (leaveEdit(message.id)) notify('Your changes are kept: edit the message again to go on with them.')
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (event.key === 'Escape') leave()
    if (event.key === 'Enter' && (event.ctrlKey || event.metaKey)) void save()
  }
  return (
    <div class="edit-box">
      <textarea
        ref={box}
        aria-label="Edit the message"
        dir="auto"
        value={text.value}
        onInput={(event) => {
          text.value = event.currentTarget.value
          writeEdit(message.id, text.value)
        }}
        onKeyDown={onKeyDown}
      />
      {problem.value && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <p>
        <button type="button" class="primary" onClick={() => void save()}>
          Save
        </button>{' '}
        <button type="button" onClick={() => endEdit(message.id)}>
          Cancel
        </button>{' '}
        <span class="quiet small">Ctrl+Enter saves, Esc leaves it</span>
      </p>
    </div>
  )
}
