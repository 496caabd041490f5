import type { Caller } from '../../kernel/context.ts'
import { encodeHashComponent, narrowUrl } from '../../markup/narrow-link.ts'
import type { MessageView } from '../../shapes/message.ts'
import type { Reader } from '../reader.ts'

/** Returns the name of a message's conversation, as a subject, and the path of the message in the web client. */
export function placeOf(caller: Caller, { texts }: Reader, message: MessageView): { subject: string; path: string } {
  if (message.type === 'private') {
    const others = message.display_recipient.filter(({ id }) => id !== caller.user.id)
    const names = others.map(({ full_name }) => full_name).join(texts.common.comma)
    const ids = others.map(({ id }) => id).sort((a, b) => a - b)
    return {
      subject: others.length > 1 ? texts.missed.withGroup(names) : texts.missed.with(names),
      path: `/#narrow/dm/${encodeHashComponent(ids.join(','))}/near/${message.id}`,
    }
  }
  const { stream_id, display_recipient: name, subject: topic } = message
  return {
    subject: `#${name} > ${topic || texts.missed.generalChat}`,
    path: narrowUrl({ id: stream_id, name }, topic, { near: message.id }),
  }
}
