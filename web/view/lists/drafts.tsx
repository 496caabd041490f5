import type { ComponentChildren } from 'preact'
import { conversationLabel } from '../../model/navigation/conversation-label.ts'
import { addressOf, type Conversation, conversationKey } from '../../model/reading/conversations.ts'
import { entryConversation } from '../../model/reading/outgoing.ts'
import { composeTo } from '../../model/writing/compose.ts'
import { draftConversation, draftsOf } from '../../model/writing/drafts.ts'
import { allEdits, reopenEdit } from '../../model/writing/edit.ts'
import { texts } from '../../texts/texts.ts'
import { Icon } from '../parts/icon.tsx'
import { attempt } from '../parts/notices.tsx'
import { ago } from '../parts/times.ts'
import { useSession } from '../session-context.ts'
import { ListPage, Nothing } from './list-page.tsx'
import { moveAmongRows } from './row-keys.ts'

/** What was begun and not sent, on any device. */
export function Drafts() {
  const session = useSession()
  const { drafts, user_id } = session.read('drafts', 'streams', 'users')
  const sorted = [...drafts].sort((a, b) => b.timestamp - a.timestamp)
  const places = new Set(sorted.map((draft) => conversationKey(draftConversation(draft, user_id))))
  // What the server does not have, as who keeps drafts in the browser only has all of them.
  const unsaved = [...draftsOf(session).unsaved().values()]
    .map(({ text, of }) => ({ text, to: of as Conversation }))
    .filter(({ text, to }) => text.trim() !== '' && !places.has(conversationKey(to)))
  const failed = session.outgoing.value.filter(({ status }) => status === 'failed')
  const edits = [...allEdits(session).value.values()]
  return (
    <ListPage title={texts.places.drafts}>
      {sorted.length + unsaved.length + failed.length + edits.length === 0 && <Nothing>{texts.drafts.empty}</Nothing>}
      <ul class="drafts" onKeyDown={moveAmongRows}>
        {failed.map((entry) => (
          <li key={entry.local_id}>
            <Row to={entryConversation(entry, user_id)!} text={entry.message.content}>
              <span class="problem small">{texts.drafts.notSent}</span>
            </Row>
          </li>
        ))}
        {edits.map(({ id, conversation, text }) => (
          <li key={`edit ${id}`}>
            <Row to={conversation} near={id} text={text} open={() => reopenEdit(session, id)}>
              <span class="quiet small">{texts.message.unsavedEdit}</span>
            </Row>
          </li>
        ))}
        {unsaved.map(({ text, to }) => (
          <li key={conversationKey(to)}>
            <Row to={to} text={text}>
              <span class="quiet small">{texts.drafts.onlyHere}</span>
            </Row>
          </li>
        ))}
        {sorted.map((draft) => (
          <li key={draft.id}>
            <Row to={draftConversation(draft, user_id)} text={draft.content}>
              <span class="quiet small">{ago(draft.timestamp)}</span>
            </Row>
            <button
              type="button"
              class="icon-button"
              aria-label={texts.drafts.delete}
              title={texts.drafts.delete}
              onClick={() => attempt(() => session.client.deleteDraft({ draft_id: draft.id }))}
            >
              <Icon name="close" />
            </button>
          </li>
        ))}
      </ul>
    </ListPage>
  )
}

interface RowProps {
  to: Conversation
  text: string
  /** The message that the text is an edit of. */
  near?: number
  open?: () => void
  /** Content at its end. */
  children: ComponentChildren
}

/** A draft's text, as a link to its destination. */
function Row({ to, text, near, open: onOpen, children }: RowProps) {
  const session = useSession()
  const isForNobody = to.type === 'direct' && to.user_ids.length === 0
  const open = (event: Event) => {
    event.preventDefault()
    composeTo(session, to)
  }
  return (
    <a
      class="row walked"
      href={isForNobody ? '#narrow/is/dm' : addressOf(to, session.state, near)}
      onClick={isForNobody ? open : onOpen}
    >
      <span class="name">
        <span class="quiet small">{conversationLabel(session, to)}</span>
        <span class="text">{text}</span>
      </span>
      {children}
    </a>
  )
}
