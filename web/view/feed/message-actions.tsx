import { useEffect } from 'preact/hooks'
import type { Message } from '../../../src/client/index.ts'
import { addressOf, conversationOf } from '../../model/reading/conversations.ts'
import type { FeedView } from '../../model/reading/feed-view.ts'
import { personOf } from '../../model/reading/people.ts'
import type { Session } from '../../model/state/session.ts'
import { toggle } from '../../model/state/toggle.ts'
import { append, composeTo, restore } from '../../model/writing/compose.ts'
import { toggleReaction } from '../../model/writing/react.ts'
import { texts } from '../../texts/texts.ts'
import { EmojiPicker } from '../emoji/emoji-picker.tsx'
import { openDialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu } from '../parts/menu.tsx'
import { attempt } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { messageElement } from './current-feed.ts'
import { loadMenus, menus, prepareMenus } from './menus.ts'

/** What can be done with a message; shown where the pointer is, and for the selected one. */
export function MessageActions({ message, feed }: { message: Message; feed: FeedView }) {
  const session = useSession()
  const isStarred = message.flags.includes('starred')
  // Loaded before it is opened, if there is time.
  useEffect(prepareMenus, [])
  return (
    <div class="actions" role="toolbar" aria-label={texts.actions.toolbar}>
      <button
        type="button"
        class="icon-button"
        aria-label={texts.actions.addReaction}
        title={texts.actions.reactTitle}
        onClick={() => react(session, message)}
      >
        <Icon name="smile" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-label={texts.actions.quote}
        title={texts.actions.quoteTitle}
        onClick={() => attempt(() => quote(session, message))}
      >
        <Icon name="quote" />
      </button>
      <button
        type="button"
        class="icon-button"
        aria-pressed={isStarred}
        aria-label={texts.actions.star}
        title={texts.actions.starTitle}
        onClick={() => attempt(() => star(session, message))}
      >
        <Icon name="star" filled={isStarred} />
      </button>
      <Menu label={texts.actions.more} ready={loadMenus} items={() => menus().messageItems(session, message, feed)}>
        <Icon name="more" />
      </Menu>
    </div>
  )
}

export function react(session: Session, message: Message): void {
  openDialog(
    texts.actions.react,
    <EmojiPicker onPick={(emoji) => attempt(() => toggleReaction(session, message, emoji))} />,
  )
}

export const star = (session: Session, { id }: Message) =>
  toggle(
    session,
    `star ${id}`,
    () => session.messages.get(id)?.flags.includes('starred') ?? false,
    (isOn) => session.client.updateFlags({ messages: [id], flag: 'starred', op: isOn ? 'add' : 'remove' }),
  )

/** What the server calls who sent the message: a mention by another name is none. */
const fullName = (session: Session, { sender_id, sender_full_name }: Message): string =>
  personOf(session, sender_id)?.full_name ?? sender_full_name

/** Begins a reply that mentions who sent the message. */
export function mention(session: Session, message: Message): void {
  const { sender_id } = message
  composeTo(session, conversationOf(message, session.state.user_id))
  append(`@**${fullName(session, message)}|${sender_id}** `)
}

/** Puts the message into the box as others will see it quoted. */
export async function quote(session: Session, message: Message): Promise<void> {
  const text = selectedText(message) || (await textOf(session, message))
  composeTo(session, conversationOf(message, session.state.user_id))
  restore(quoted(session, message, text))
}

/** A message as it was written. */
export async function textOf({ client }: Session, { id }: Message): Promise<string> {
  const asWritten = { apply_markdown: false, allow_empty_topic_name: true }
  return (await client.getMessage({ message_id: id, ...asWritten })).message.content
}

/** What of a message is selected on the page. */
function selectedText({ id }: Message): string {
  const selection = getSelection()
  const content = messageElement(id)?.querySelector('.content')
  const isInside = [selection?.anchorNode, selection?.focusNode].every((node) => node && content?.contains(node))
  return isInside ? (selection?.toString().trim() ?? '') : ''
}

/** A message as a quote with its author and a link to it. */
export function quoted(session: Session, message: Message, text: string): string {
  const conversation = conversationOf(message, session.state.user_id)
  const address = new URL(addressOf(conversation, session.state, message.id), location.href).href
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  const name = `${fullName(session, message)}|${message.sender_id}`
  return `@_**${name}** [said](${address}):\n${fence}quote\n${text}\n${fence}\n`
}
