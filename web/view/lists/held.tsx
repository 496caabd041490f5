import { conversationLabel } from '../../model/navigation/conversation-label.ts'
import { addressOf, type Conversation, othersOf } from '../../model/reading/conversations.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { texts } from '../../texts/texts.ts'
import { confirm } from '../parts/confirm.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { longAgo } from '../parts/times.ts'
import { useSession } from '../session-context.ts'
import { useAnswer } from '../settings/use-answer.ts'
import { moveAmongRows } from './row-keys.ts'

/** The reader's messages that wait for a moderator. */
export function HeldList() {
  const session = useSession()
  const { client, state } = session
  const { answer } = useAnswer((client) => client.listHeldMessages({ own: true }), 'scheduled')
  const held = answer.value?.held_messages ?? []
  if (held.length === 0) return null
  const withdraw = (held_message_id: number) =>
    confirm({
      title: pageTexts.scheduled.cancelTitle,
      text: pageTexts.scheduled.cancelText,
      action: pageTexts.scheduled.cancelAction,
      run: () => client.withdrawHeldMessage({ held_message_id }),
    })
  return (
    <section aria-labelledby="held">
      <h2 id="held">{texts.message.held}</h2>
      <ul class="drafts" onKeyDown={moveAmongRows}>
        {held.map(({ id, place, content, created_at }) => {
          const conversation: Conversation =
            'stream_id' in place
              ? { type: 'stream', ...place }
              : { type: 'direct', user_ids: othersOf(place.user_ids, state.user_id) }
          return (
            <li key={id}>
              <a class="row walked" href={addressOf(conversation, state)}>
                <span class="name">
                  <span class="quiet small">{conversationLabel(session, conversation)}</span>
                  <span class="text">{content}</span>
                </span>
                <span class="quiet small">{longAgo(created_at)}</span>
              </a>
              <IconButton icon="close" label={pageTexts.scheduled.cancelAction} onClick={() => withdraw(id)} />
            </li>
          )
        })}
      </ul>
    </section>
  )
}
