import { useLayoutEffect, useRef } from 'preact/hooks'
import type { Message } from '../../../src/client/index.ts'
import { conversationOf } from '../../model/reading/conversations.ts'
import { editOf, endEdit, leaveEdit, saveEdit, settleConflict, writeEdit } from '../../model/writing/edit.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { formatByKey, pasteLink } from '../compose/insert-text.ts'
import { lineKey } from '../compose/list-keys.ts'
import { pasteHtml } from '../compose/paste-html.ts'
import { useTypeahead } from '../compose/use-typeahead.ts'
import { messageElement } from '../parts/current-feed.ts'
import { isComposed } from '../parts/key-name.ts'
import { notify, reasonOf } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'

/** A message being edited where it stands. */
export function EditBox({ message }: { message: Message }) {
  const session = useSession()
  const { id } = message
  const edit = editOf(session, id)
  const box = useRef<HTMLTextAreaElement>(null)
  const typeahead = useTypeahead(session, box, () => conversationOf(message, session.state.user_id))
  const enterSends = session.read('settings').user_settings.enter_sends
  useLayoutEffect(() => {
    const element = box.current!
    element.focus()
    element.setSelectionRange(element.value.length, element.value.length)
    return () => messageElement(id)?.focus({ preventScroll: true })
  }, [id])
  if (!edit) return null
  const { text, state } = edit
  const leave = () => {
    if (leaveEdit(session, id)) notify(pieceTexts.drafts.editKept)
  }
  const settle = (keep: 'mine' | 'theirs') => {
    settleConflict(session, id, keep)
    box.current?.focus()
  }
  const onKeyDown = (event: KeyboardEvent) => {
    event.stopPropagation()
    if (isComposed(event) || typeahead.onKeyDown(event) || formatByKey(event, box.current)) return
    if (event.key === 'Escape') leave()
    const asked = event.ctrlKey || event.metaKey || (enterSends && !event.shiftKey)
    if (lineKey(event, box.current, asked)) return
    if (event.key !== 'Enter' || !asked) return
    event.preventDefault()
    if (state.name !== 'conflict') void saveEdit(session, id)
  }
  return (
    <div class="edit-box">
      {state.name === 'conflict' && (
        <section class="conflict" role="alert">
          <p>
            <strong>{pieceTexts.conflict.title}</strong>
          </p>
          <p class="quiet small">{pieceTexts.conflict.theirs}</p>
          <pre class="plain" dir="auto">
            {state.theirs}
          </pre>
          <p>
            <button type="button" class="primary" onClick={() => settle('mine')}>
              {pieceTexts.conflict.keepMine}
            </button>{' '}
            <button type="button" onClick={() => settle('theirs')}>
              {pieceTexts.conflict.useTheirs}
            </button>
          </p>
        </section>
      )}
      {typeahead.List && <typeahead.List typeahead={typeahead} />}
      <textarea
        ref={box}
        aria-label={texts.message.edit}
        dir="auto"
        value={text}
        {...typeahead.attributes}
        onInput={(event) => {
          writeEdit(session, id, event.currentTarget.value)
          typeahead.look()
        }}
        onKeyDown={onKeyDown}
        onBlur={typeahead.close}
        onPaste={(event) => void (pasteLink(event, box.current) || pasteHtml(event, box.current))}
      />
      {state.name === 'refused' && (
        <p class="problem" role="alert">
          {reasonOf(state.error)}
        </p>
      )}
      <p>
        <button
          type="button"
          class="primary"
          disabled={state.name === 'saving' || state.name === 'conflict'}
          onClick={() => void saveEdit(session, id)}
        >
          {state.name === 'saving' ? texts.message.saving : texts.common.save}
        </button>{' '}
        <button type="button" onClick={() => endEdit(session, id)}>
          {texts.common.cancel}
        </button>{' '}
        <span class="quiet small edit-keys">{pieceTexts.drafts.editKeys(enterSends)}</span>
      </p>
    </div>
  )
}
