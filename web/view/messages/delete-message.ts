import type { Message } from '../../../src/client/index.ts'
import { streamName } from '../../model/reading/conversations.ts'
import { peopleOf } from '../../model/reading/people.ts'
import type { Session } from '../../model/state/session.ts'
import { confirm } from '../parts/confirm.tsx'

/** Says for whom a message disappears, and deletes it. */
export async function askToDelete({ client, state }: Session, message: Message): Promise<void> {
  const { id: message_id } = message
  let where = 'everybody in the conversation'
  if (message.type === 'stream') {
    const { stream_id } = message
    const { subscribers } = await client.getSubscribers({ stream_id })
    where = `${peopleOf(new Set(subscribers))} in ${streamName(state, stream_id) ?? 'the stream'}`
  }
  confirm({
    title: 'Delete the message?',
    text: `It disappears for ${where}. This cannot be undone.`,
    action: 'Delete',
    run: () => client.deleteMessage({ message_id }),
  })
}
