import type { Message } from '../../../src/client/index.ts'
import { addressOf, conversationOf, streamName } from '../../model/reading/conversations.ts'
import type { FeedView } from '../../model/reading/feed-view.ts'
import { nameOf } from '../../model/reading/people.ts'
import { markUnreadFrom } from '../../model/reading/read-marks.ts'
import type { Session } from '../../model/state/session.ts'
import { composeTo, restore } from '../../model/writing/compose.ts'
import { beginEdit, mayDelete, mayEdit } from '../../model/writing/edit.ts'
import { toggleReaction } from '../../model/writing/react.ts'
import { EmojiPicker } from '../emoji/emoji-picker.tsx'
import { confirm } from '../parts/confirm.tsx'
import { openDialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { attempt, notify } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { openHistory } from './history.tsx'
import { openMove, peopleOf } from './move-dialog.tsx'
import { openReaders } from './readers.tsx'

/** What can be done with a message; shown where the pointer is, and for the selected one. */
export function MessageActions({ message, feed }: { message: Message; feed: FeedView }) {
  const session = useSession()
  const isStarred = message.flags.includes('starred')
  return (
    <div class="actions" role="toolbar" aria-label="Actions for the message">
      <button
        type="button"
        class="icon-button"
        aria-label="Add a reaction"
        title="React (+)"
        onClick={() => react(session, message)}
      >
        <Icon name="smile" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label="Quote and reply"
        title="Quote (>)"
        onClick={() => attempt(() => quote(session, message))}
      >
        <Icon name="quote" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-pressed={isStarred}
        aria-label="Star"
        title="Star (*)"
        onClick={() => attempt(() => star(session, message))}
      >
        <Icon name="star" filled={isStarred} />
      </button>
      <Menu label="More actions" items={() => itemsFor(session, message, feed)}>
        <Icon name="more" />
      </Menu>
    </div>
  )
}

function itemsFor(session: Session, message: Message, feed: FeedView): MenuItem[] {
  const { state } = session
  const conversation = conversationOf(message, state.user_id)
  const ids = feed.rows.peek().flatMap((row) => (row.kind === 'message' ? [row.message.id] : []))
  const items: (MenuItem | false)[] = [
    { label: 'Reply', hint: 'r', run: () => composeTo(session, conversation) },
    mayEdit(session, message) && { label: 'Edit', hint: 'e', run: () => beginEdit(session, message.id) },
    message.type === 'stream' && { label: 'Move …', run: () => openMove(message) },
    { label: 'Mark unread from here', hint: 'U', run: () => markUnreadFrom(session, ids, message.id) },
    {
      label: 'Copy link',
      run: async () => {
        await navigator.clipboard.writeText(new URL(addressOf(conversation, state, message.id), location.href).href)
        notify('The link is copied.')
      },
    },
    state.realm_enable_read_receipts && { label: 'Read by …', run: () => openReaders(session, message.id) },
    message.last_edit_timestamp !== undefined && { label: 'History …', run: () => openHistory(session, message.id) },
    mayDelete(session, message) && { label: 'Delete …', dangerous: true, run: () => askToDelete(session, message) },
  ]
  return items.filter((item): item is MenuItem => item !== false)
}

export function react(session: Session, message: Message): void {
  openDialog('React', <EmojiPicker onPick={(emoji) => attempt(() => toggleReaction(session, message, emoji))} />)
}

export const star = ({ client }: Session, { id, flags }: Message) =>
  client.updateFlags({ messages: [id], flag: 'starred', op: flags.includes('starred') ? 'remove' : 'add' })

/** Puts the message into the box as others will see it quoted. */
export async function quote(session: Session, message: Message): Promise<void> {
  const raw = await session.client.getMessage({
    message_id: message.id,
    apply_markdown: false,
    allow_empty_topic_name: true,
  })
  const conversation = conversationOf(message, session.state.user_id)
  const address = new URL(`/${addressOf(conversation, session.state, message.id)}`, location.href).href
  const fence = '`'.repeat(Math.max(3, ...[...raw.message.content.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  const name = `${nameOf(session, message.sender_id)}|${message.sender_id}`
  composeTo(session, conversation)
  restore(`@_**${name}** [said](${address}):\n${fence}quote\n${raw.message.content}\n${fence}\n`)
}

async function askToDelete({ client, state }: Session, message: Message): Promise<void> {
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
