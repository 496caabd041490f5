import type { Message } from '../../access/messages.ts'
import type { Caller } from '../../kernel/context.ts'
import { cut, namedMessage } from '../notices/quoted-message.ts'
import { quoted } from '../notices/words.ts'
import { widgetOf } from '../widgets/widget.ts'

/** The text of a reminder about a message. Later edits of the message don't change it. */
export async function reminderText(caller: Caller, message: Message, note: string): Promise<string> {
  const { author, recipients, isDirect, url, link } = await namedMessage(caller, message)
  const place = isDirect ? `to ${recipients.join(', ')}` : `in ${link}`
  const first = `${firstLine(isDirect)}${noteText(note)}\n\n`
  const widget = widgetKind(message.content)
  if (widget) return `${first}${author} sent [a ${widget}](${url}) ${place}.`
  const said = `${first}${author} [said](${url}) ${place}:\n`
  const room = caller.chat.options.limits.messageBytes - Buffer.byteLength(said + quoted(fences(message.content)))
  return said + quoted(cut(message.content, room))
}

/** Used if the message is gone or the user can no longer read it, so that none of it is sent. */
export const reminderWithoutMessage = (note: string): string =>
  `You requested a reminder for a message that you can no longer read.${noteText(note)}`

const firstLine = (isDirect: boolean) =>
  `You requested a reminder for the following ${isDirect ? 'direct message' : 'message'}.`

const noteText = (note: string) => (note === '' ? '' : ` Note:\n${note.replaceAll(/^/gm, '> ')}`)

/** Only what makes the fence of a quote longer. */
const fences = (content: string) => (content.match(/`+/g) ?? []).sort((a, b) => b.length - a.length)[0] ?? ''

function widgetKind(content: string): string | undefined {
  if (!widgetOf(content)) return undefined
  return content.startsWith('/poll') ? 'poll' : 'todo list'
}
