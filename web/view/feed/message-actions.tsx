import type { Message } from '../../../src/client/index.ts'
import { addressOf, conversationOf } from '../../model/reading/conversations.ts'
import type { FeedView } from '../../model/reading/feed-view.ts'
import { markUnreadFrom } from '../../model/reading/mark-read.ts'
import { personOf } from '../../model/reading/people.ts'
import { loadPart } from '../../model/state/load-part.ts'
import { go } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { toggle } from '../../model/state/toggle.ts'
import { append, composeTo, restore } from '../../model/writing/compose.ts'
import { beginEdit } from '../../model/writing/edit.ts'
import { toggleReaction } from '../../model/writing/react.ts'
import { hasHistory, mayDelete, mayEdit, mayMove } from '../../model/writing/rights.ts'
import { texts } from '../../texts/texts.ts'
import { EmojiPicker } from '../emoji/emoji-picker.tsx'
import { copyLink, copyText } from '../parts/copy-text.ts'
import { openDialog } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { Menu, type MenuItem } from '../parts/menu.tsx'
import { attempt, notify } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { messageElement } from './current-feed.ts'

/** What can be done with a message; shown where the pointer is, and for the selected one. */
export function MessageActions({ message, feed }: { message: Message; feed: FeedView }) {
  const session = useSession()
  const isStarred = message.flags.includes('starred')
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
      <Menu label={texts.actions.more} items={() => itemsFor(session, message, feed)}>
        <Icon name="more" />
      </Menu>
    </div>
  )
}

function itemsFor(session: Session, message: Message, feed: FeedView): MenuItem[] {
  const { state } = session
  const conversation = conversationOf(message, state.user_id)
  const items: (MenuItem | false)[] = [
    { label: texts.actions.reply, hint: 'r', run: () => composeTo(session, conversation) },
    mayEdit(session, message) && { label: texts.actions.edit, hint: 'e', run: () => beginEdit(session, message) },
    message.type === 'stream' &&
      mayMove(session, message) && {
        label: texts.actions.move,
        hint: 'm',
        run: async () => (await loadPart(() => import('../settings/loaded-pages.ts'))).openMove(message),
      },
    { label: texts.actions.forward, run: () => forward(session, message) },
    feed.conversation === undefined && {
      label: texts.actions.openConversation,
      hint: 's',
      run: () => go(addressOf(conversation, state, message.id)),
    },
    { label: texts.actions.markUnread, hint: 'U', run: () => markUnreadFrom(session, feed.narrow, message.id) },
    { label: texts.actions.copyLink, run: () => copyLink(addressOf(conversation, state, message.id)) },
    {
      label: texts.actions.copyText,
      run: async () => {
        await copyText(await textOf(session, message))
        notify(texts.actions.textCopied)
      },
    },
    state.realm_enable_read_receipts && {
      label: texts.actions.readers,
      run: async () => (await loadPart(() => import('../settings/loaded-pages.ts'))).openReaders(session, message.id),
    },
    hasHistory(session, message) && {
      label: texts.actions.history,
      hint: 'H',
      run: async () => (await loadPart(() => import('../settings/loaded-pages.ts'))).openHistory(session, message.id),
    },
    mayDelete(session, message) && {
      label: texts.actions.delete,
      dangerous: true,
      run: async () => (await loadPart(() => import('../settings/loaded-pages.ts'))).askToDelete(session, message),
    },
  ]
  return items.filter((item): item is MenuItem => item !== false)
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

/** Begins a message to others with this one in it. */
async function forward(session: Session, message: Message): Promise<void> {
  const text = await textOf(session, message)
  composeTo(session, { type: 'direct', user_ids: [] })
  restore(quoted(session, message, text))
}

/** A message as it was written. */
async function textOf({ client }: Session, { id }: Message): Promise<string> {
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

function quoted(session: Session, message: Message, text: string): string {
  const conversation = conversationOf(message, session.state.user_id)
  const address = new URL(addressOf(conversation, session.state, message.id), location.href).href
  const fence = '`'.repeat(Math.max(3, ...[...text.matchAll(/`+/g)].map(([ticks]) => ticks.length + 1)))
  const name = `${fullName(session, message)}|${message.sender_id}`
  return `@_**${name}** [said](${address}):\n${fence}quote\n${text}\n${fence}\n`
}
