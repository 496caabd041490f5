import { useComputed } from '@preact/signals'
import type { Message } from '../../../src/client/index.ts'
import { isPinned } from '../../model/reading/pins.ts'
import { loadPart } from '../../model/state/load-part.ts'
import { isReadOnly } from '../../model/state/spectator.ts'
import { beginEdit, editOf } from '../../model/writing/edit.ts'
import { hasHistory } from '../../model/writing/rights.ts'
import { texts } from '../../texts/texts.ts'
import { attempt } from '../parts/notices.tsx'
import { fullTime } from '../parts/times.ts'
import { useSession } from '../session-context.ts'

/** That it was edited, moved or pinned, and whether the reader has starred it. */
export function Marks({ message }: { message: Message }) {
  const session = useSession()
  const { id, last_edit_timestamp, last_moved_timestamp, flags } = message
  const hasEdit = useComputed(() => editOf(session, id)?.edit.isOpen === false).value
  const pinned = useComputed(() => isPinned(session, message)).value
  const at = (seconds: number) => fullTime(new Date(seconds * 1000))
  return (
    <>
      {hasEdit && (
        <button type="button" class="unsaved" onClick={() => attempt(() => beginEdit(session, message))}>
          {texts.message.unsavedEdit}
        </button>
      )}
      {last_edit_timestamp !== undefined && (
        <Mark message={message} title={at(last_edit_timestamp)} text={texts.message.edited} />
      )}
      {last_moved_timestamp !== undefined && (
        <Mark message={message} title={at(last_moved_timestamp)} text={texts.message.moved} />
      )}
      {pinned && <span class="mark">{texts.message.pinned}</span>}
      {flags.includes('starred') && (
        <span class="mark starred">
          <span aria-hidden="true">★</span>
          <span class="hidden">{texts.message.starred}</span>
        </span>
      )}
    </>
  )
}

/** Opens the message's history, if the reader can see it. */
function Mark({ message, title, text }: { message: Message; title: string; text: string }) {
  const session = useSession()
  void session.read('organization')
  if (isReadOnly(session) || !hasHistory(session, message))
    return (
      <span class="mark" title={title}>
        {text}
      </span>
    )
  const open = () =>
    attempt(async () => (await loadPart(() => import('../settings/loaded-pages.ts'))).openHistory(session, message.id))
  return (
    <button type="button" class="mark" title={title} onClick={open}>
      {text}
    </button>
  )
}
