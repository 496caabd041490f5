import type { OutboxEntry } from '../../../src/client/index.ts'
import { nameOf } from '../../model/reading/people.ts'
import { texts } from '../../texts/texts.ts'
import { Avatar } from '../parts/avatar.tsx'
import { onDemand } from '../parts/on-demand.tsx'
import { useSession } from '../session-context.ts'

const NotSent = onDemand(async () => (await import('./not-sent.tsx')).NotSent, { asked: false })

/** Begins a message that says what its sender does. */
const ACTION = '/me '

/** What was sent and is not confirmed yet, or has failed. */
export function OutgoingLine({ entry }: { entry: OutboxEntry }) {
  const session = useSession()
  const own = session.state.user_id
  const { local_id, status, message, held_id } = entry
  const isAction = message.content.startsWith(ACTION) && !message.content.includes('\n')
  return (
    <article
      data-outgoing={local_id}
      class={`message with-sender outgoing ${status}`}
      aria-label={status === 'failed' ? texts.message.outgoingFailed : texts.message.outgoingSending}
    >
      <Avatar user_id={own} size={36} />
      <div class="body">
        <header>
          <strong class="sender">{nameOf(session, own, session.state.full_name)}</strong>
          {isAction && (
            <span class="content" dir="auto">
              {message.content.slice(ACTION.length)}
            </span>
          )}
          {status !== 'failed' && <span class="mark">{held_id ? texts.message.held : texts.message.sending}</span>}
        </header>
        {!isAction && (
          <div class="content plain" dir="auto">
            {message.content}
          </div>
        )}
        {status === 'failed' && <NotSent entry={entry} />}
      </div>
    </article>
  )
}
