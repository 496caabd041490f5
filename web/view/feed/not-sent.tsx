import type { OutboxEntry } from '../../../src/client/index.ts'
import { restore } from '../../model/writing/compose.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { useSession } from '../session-context.ts'
import { whyNotSent } from './why-not-sent.ts'

/** Why a message wasn't sent, and what its author can do. */
export function NotSent({ entry }: { entry: OutboxEntry }) {
  const session = useSession()
  const { local_id, message } = entry
  const takeBack = () => {
    session.outbox.discard(local_id)
    restore(session, message.content)
  }
  return (
    <p class="failed" role="alert">
      <span>{pieceTexts.unsent.because(whyNotSent(entry))}</span>
      <button type="button" onClick={() => session.outbox.retry(local_id)}>
        {texts.common.tryAgain}
      </button>
      <button type="button" onClick={takeBack}>
        {pieceTexts.drafts.backToComposer}
      </button>
    </p>
  )
}
