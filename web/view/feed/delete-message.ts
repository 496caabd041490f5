import type { Message } from '../../../src/client/index.ts'
import { audienceOf } from '../../model/reading/audience.ts'
import { streamName } from '../../model/reading/conversations.ts'
import type { Session } from '../../model/state/session.ts'
import { deletionTime } from '../../model/writing/deletion-time.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { confirm } from '../parts/confirm.tsx'
import { inWords } from '../parts/durations.ts'
import { inARow } from '../parts/in-a-row.ts'

/** Says who will no longer see the message and how long its author can do this, and deletes it. */
export async function askToDelete(session: Session, message: Message): Promise<void> {
  const { client, state } = session
  const { id: message_id } = message
  let where = pageTexts.delete.everyone
  if (message.type === 'stream') {
    const { stream_id } = message
    const { subscribers } = await client.getSubscribers({ stream_id })
    where = pageTexts.delete.audienceIn(
      audienceOf(new Set(subscribers)),
      streamName(state, stream_id) ?? pageTexts.delete.theChannel,
    )
  }
  const left = deletionTime(session, message)
  const text = pageTexts.delete.text(where)
  confirm({
    title: pageTexts.delete.title,
    text: left === undefined ? text : inARow(text, pageTexts.delete.timeLeft(inWords(left))),
    action: pageTexts.common.delete,
    run: () => client.deleteMessage({ message_id }),
  })
}
