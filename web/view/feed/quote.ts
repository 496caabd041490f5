import type { Message } from '../../../src/client/index.ts'
import { addressOf, conversationOf } from '../../model/reading/conversations.ts'
import { personOf } from '../../model/reading/people.ts'
import type { Session } from '../../model/state/session.ts'
import { composerOf, composeTo, restore, write } from '../../model/writing/compose.ts'
import { joinFiles, splitFiles } from '../../model/writing/files-at-end.ts'
import { messageElement } from '../parts/current-feed.ts'

/** The sender's name on the server: a mention with another name wouldn't work. */
const fullName = (session: Session, { sender_id, sender_full_name }: Message): string =>
  personOf(session, sender_id)?.full_name ?? sender_full_name

/** Begins a reply that mentions who sent the message. */
export function mention(session: Session, message: Message): void {
  const { sender_id } = message
  composeTo(session, conversationOf(message, session.state.user_id))
  const { words, files } = splitFiles(composerOf(session).content.peek())
  const space = /\S$/.test(words) ? ' ' : ''
  write(session, joinFiles(`${words}${space}@**${fullName(session, message)}|${sender_id}** `, files))
}

/** Puts the message into the box as others will see it quoted. */
export async function quote(session: Session, message: Message): Promise<void> {
  const text = selectedText(message) || (await textOf(session, message))
  composeTo(session, conversationOf(message, session.state.user_id))
  restore(session, quoted(session, message, text))
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
