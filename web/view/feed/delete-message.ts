import type { Message } from '../../../src/client/index.ts'
import { audienceOf } from '../../model/reading/audience.ts'
import { streamName } from '../../model/reading/conversations.ts'
import type { Session } from '../../model/state/session.ts'
import { pageTexts } from '../../texts/page-texts.ts'
import { confirm } from '../parts/confirm.tsx'

/** Says who will no longer see the message, and deletes it. */
export async function askToDelete({ client, state }: Session, message: Message): Promise<void> {
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
  confirm({
    title: pageTexts.delete.title,
    text: pageTexts.delete.text(where),
    action: pageTexts.common.delete,
    run: () => client.deleteMessage({ message_id }),
  })
}
