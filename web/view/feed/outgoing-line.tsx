import type { OutboxEntry } from '../../../src/client/index.ts'
import { nameOf } from '../../model/reading/people.ts'
import { restore } from '../../model/writing/compose.ts'
import { Avatar } from '../parts/avatar.tsx'
import { useSession } from '../session-context.ts'

/** What was sent and is not confirmed yet, or has failed. */
export function OutgoingLine({ entry }: { entry: OutboxEntry }) {
  const session = useSession()
  const own = session.state.user_id
  const { local_id, status, message, error } = entry
  const takeBack = () => {
    session.outbox.discard(local_id)
    restore(message.content)
  }
  return (
    <article
      class={`message with-sender outgoing ${status}`}
      aria-label={`You, ${status === 'failed' ? 'not sent' : 'sending'}`}
    >
      <Avatar user_id={own} size={36} />
      <div class="body">
        <header>
          <strong class="sender">{nameOf(session, own, session.state.full_name)}</strong>
          {status !== 'failed' && <span class="mark">sending …</span>}
        </header>
        <div class="content plain">{message.content}</div>
        {status === 'failed' && (
          <p class="failed" role="alert">
            Not sent: {error}{' '}
            <button type="button" onClick={() => session.outbox.retry(local_id)}>
              Try again
            </button>{' '}
            <button type="button" onClick={takeBack}>
              Back to the box
            </button>
          </p>
        )}
      </div>
    </article>
  )
}
