import type { ComponentChildren } from 'preact'
import { conversationLabel } from '../../model/navigation/conversation-label.ts'
import { addressOf, type Conversation } from '../../model/reading/conversations.ts'
import { entryConversation } from '../../model/reading/outgoing.ts'
import { composeTo } from '../../model/writing/compose.ts'
import { draftConversation, draftsOf } from '../../model/writing/drafts.ts'
import { allEdits, endEdit, reopenEdit } from '../../model/writing/edit.ts'
import type { Written } from '../../model/writing/written.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { IconButton } from '../parts/icon-button.tsx'
import { Nothing } from '../parts/nothing.tsx'
import { attempt } from '../parts/notices.tsx'
import { ago } from '../parts/times.ts'
import { useSession } from '../session-context.ts'
import { ListPage } from './list-page.tsx'
import { moveAmongRows } from './row-keys.ts'

/** What was begun and not sent, on any device. */
export function Drafts() {
  const session = useSession()
  const { drafts: saved, user_id } = session.read('drafts', 'streams', 'users')
  const drafts = draftsOf(session)
  const started = drafts.started()
  const failed = session.outgoing.value.filter(({ status }) => status === 'failed')
  const edits = allEdits(session)
  const onlyHere = started.filter(({ draft }) => !saved.some(({ id }) => id === draft))
  const sorted = [...saved].sort((a, b) => b.timestamp - a.timestamp)
  const isEmpty = sorted.length + onlyHere.length + failed.length + edits.length === 0
  const remove = (written: Written) => {
    drafts.write(written.key, '')
    drafts.save(written.key)
  }
  return (
    <ListPage title={texts.places.drafts}>
      {isEmpty && <Nothing icon="pencil">{pieceTexts.drafts.empty}</Nothing>}
      <ul class="drafts" onKeyDown={moveAmongRows}>
        {failed.map((entry) => (
          <li key={entry.local_id}>
            <Row to={entryConversation(entry, user_id)!} text={entry.message.content}>
              <span class="problem small">{pieceTexts.drafts.notSent}</span>
            </Row>
          </li>
        ))}
        {edits.map((edit) => (
          <li key={edit.key}>
            <Row to={edit.conversation} near={edit.edit.id} text={edit.text} open={() => reopenEdit(session, edit)}>
              <span class="quiet small">{texts.message.unsavedEdit}</span>
            </Row>
            <Delete run={async () => endEdit(session, edit.edit.id)} />
          </li>
        ))}
        {onlyHere.map((written) => (
          <li key={written.key}>
            <Row to={written.conversation} text={written.text} open={() => drafts.raise(written.key)}>
              <span class="quiet small">{pieceTexts.drafts.onlyHere}</span>
            </Row>
            <Delete run={async () => remove(written)} />
          </li>
        ))}
        {sorted.map((draft) => (
          <li key={draft.id}>
            <Row
              to={draftConversation(draft, user_id)}
              text={started.find((one) => one.draft === draft.id)?.text ?? draft.content}
              open={() => drafts.open(draft)}
            >
              <span class="quiet small">{ago(draft.timestamp)}</span>
            </Row>
            <Delete run={() => session.client.deleteDraft({ draft_id: draft.id })} />
          </li>
        ))}
      </ul>
    </ListPage>
  )
}

const Delete = ({ run }: { run(): Promise<unknown> }) => (
  <IconButton icon="close" label={pieceTexts.drafts.delete} onClick={() => attempt(run)} />
)

interface RowProps {
  to: Conversation
  text: string
  /** The message that the text is an edit of. */
  near?: number
  /** Has its conversation show this text. */
  open?: () => void
  /** Content at its end. */
  children: ComponentChildren
}

/** A draft's text, as a link to its destination. */
function Row({ to, text, near, open, children }: RowProps) {
  const session = useSession()
  const isForNobody = to.type === 'direct' && to.user_ids.length === 0
  const onClick = (event: Event) => {
    open?.()
    if (!isForNobody) return
    event.preventDefault()
    composeTo(session, to)
  }
  return (
    <a class="row walked" href={isForNobody ? '#narrow/is/dm' : addressOf(to, session.state, near)} onClick={onClick}>
      <span class="name">
        <span class="quiet small">{conversationLabel(session, to)}</span>
        <span class="text">{text}</span>
      </span>
      {children}
    </a>
  )
}
