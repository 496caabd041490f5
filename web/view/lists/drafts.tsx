import { whereOf } from '../../model/finding/where.ts'
import { addressOf } from '../../model/reading/conversations.ts'
import { draftConversation } from '../../model/writing/drafts.ts'
import { Icon } from '../parts/icon.tsx'
import { attempt } from '../parts/notices.tsx'
import { ago } from '../parts/times.ts'
import { useSession } from '../session-context.ts'
import { ListPage, Nothing } from './list-page.tsx'
import { walkRows } from './walk-rows.ts'

/** What was begun and not sent, on any device. */
export function Drafts() {
  const session = useSession()
  const { drafts, user_id } = session.read('drafts', 'streams', 'users')
  const sorted = [...drafts].sort((a, b) => b.timestamp - a.timestamp)
  return (
    <ListPage title="Drafts">
      {sorted.length === 0 && (
        <Nothing>There are no drafts. What you begin to write is kept here until you send it.</Nothing>
      )}
      <ul class="drafts" onKeyDown={walkRows}>
        {sorted.map((draft) => {
          const conversation = draftConversation(draft, user_id)
          return (
            <li key={draft.id}>
              <a class="row walked" href={conversation ? addressOf(conversation, session.state) : '#drafts'}>
                <span class="name">
                  <span class="quiet small">{whereOf(session, conversation)}</span>
                  <span class="text">{draft.content}</span>
                </span>
                <span class="quiet small">{ago(draft.timestamp)}</span>
              </a>
              <button
                type="button"
                class="icon-button"
                aria-label="Delete the draft"
                title="Delete the draft"
                onClick={() => attempt(() => session.client.deleteDraft({ draft_id: draft.id }))}
              >
                <Icon name="close" />
              </button>
            </li>
          )
        })}
      </ul>
    </ListPage>
  )
}
