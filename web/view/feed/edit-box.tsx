import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Message } from '../../../src/client/index.ts'
import { conversationOf } from '../../model/reading/conversations.ts'
import { editedText, endEdit, leaveEdit, saveEdit, writeEdit } from '../../model/writing/edit.ts'
import { texts } from '../../texts/texts.ts'
import { formatByKey, pasteLink } from '../compose/insert-text.ts'
import { TypeaheadList } from '../compose/typeahead-list.tsx'
import { useTypeahead } from '../compose/use-typeahead.ts'
import { isComposed } from '../keys/key-name.ts'
import { notify, reasonOf } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { messageElement } from './current-feed.ts'

/** A message being edited where it stands. */
export function EditBox({ message }: { message: Message }) {
  const session = useSession()
  const text = useSignal(editedText(session, message.id))
  const problem = useSignal('')
  const box = useRef<HTMLTextAreaElement>(null)
  const typeahead = useTypeahead(session, box, () => conversationOf(message, session.state.user_id))
  const enterSends = session.read('settings').user_settings.enter_sends
  useLayoutEffect(() => {
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
    if (leaveEdit(session, message.id)) notify(texts.message.editKept)
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (isComposed(event) || typeahead.onKeyDown(event) || formatByKey(event, box.current)) return
    if (event.key === 'Escape') leave()
    const asked = event.ctrlKey || event.metaKey || (enterSends && !event.shiftKey)
    if (event.key !== 'Enter' || !asked) return
    event.preventDefault()
    void save()
  }
  return (
    <div class="edit-box">
      <TypeaheadList typeahead={typeahead} />
      <textarea
        ref={box}
        aria-label={texts.message.edit}
        dir="auto"
        value={text.value}
        {...typeahead.attributes}
        onInput={(event) => {
          text.value = event.currentTarget.value
          writeEdit(session, message.id, text.value)
          typeahead.look()
        }}
        onKeyDown={onKeyDown}
        onBlur={typeahead.close}
        onPaste={(event) => void pasteLink(event, box.current)}
      />
      {problem.value && (
        <p class="problem" role="alert">
          {problem.value}
        </p>
      )}
      <p>
        <button type="button" class="primary" onClick={() => void save()}>
          {texts.common.save}
        </button>{' '}
        <button type="button" onClick={() => endEdit(session, message.id)}>
          {texts.common.cancel}
        </button>{' '}
        <span class="quiet small">{texts.message.editKeys(enterSends ? 'Enter' : 'Ctrl+Enter')}</span>
      </p>
    </div>
  )
}
