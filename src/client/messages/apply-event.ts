import type { ChatEvent } from '../../core/events/types/table.ts'
import type { MessageView } from '../../core/shapes/message.ts'
import type { ClientState } from '../state/client-state.ts'

/** Messages by id. */
export type Messages = Map<number, MessageView>

/**
 * Applies an event to messages. Changed messages are new objects, so that views see which ones changed. Applying an
 * event twice changes nothing more.
 *
 * @returns the ids of the changed messages
 */
export function applyToMessages(messages: Messages, event: ChatEvent, state: ClientState): number[] {
  const change = (ids: Iterable<number>, how: (message: MessageView) => MessageView): number[] => {
    const known = [...ids].filter((id) => messages.has(id))
    for (const id of known) messages.set(id, how(messages.get(id)!))
    return known
  }
  const changeWhere = (test: (message: MessageView) => boolean, how: (message: MessageView) => MessageView) =>
    change(
      [...messages.values()].filter(test).map(({ id }) => id),
      how,
    )

  switch (event.type) {
    case 'message': {
      messages.set(event.message.id, { ...event.message, flags: event.flags })
      return [event.message.id]
    }
    case 'update_message':
      return [
        ...change([event.message_id], (message) => edited(message, event)),
        ...(event.propagate_mode ? change(event.message_ids, (message) => moved(message, event, state)) : []),
      ]
    case 'delete_message': {
      const ids = event.message_ids ?? [event.message_id!]
      return ids.filter((id) => messages.delete(id))
    }
    case 'update_message_flags': {
      const { flag, op } = event
      const ids = event.op === 'add' && event.all ? messages.keys() : event.messages
      return change([...ids], (message) => {
        const rest = message.flags.filter((one) => one !== flag)
        return { ...message, flags: op === 'add' ? [...rest, flag] : rest }
      })
    }
    case 'reaction': {
      const { user_id, emoji_name, emoji_code, reaction_type } = event
      return change([event.message_id], (message) => {
        const isIt = (one: MessageView['reactions'][number]) =>
          one.user_id === user_id && one.emoji_code === emoji_code && one.reaction_type === reaction_type
        const rest = message.reactions.filter((one) => !isIt(one))
        const added = { user_id, emoji_name, emoji_code, reaction_type }
        return { ...message, reactions: event.op === 'add' ? [...rest, added] : rest }
      })
    }
    case 'submessage': {
      const { submessage_id: id, message_id, sender_id, msg_type, content } = event
      return change([message_id], (message) => {
        const rest = message.submessages.filter((one) => one.id !== id)
        return { ...message, submessages: [...rest, { id, message_id, sender_id, msg_type, content }] }
      })
    }
    case 'realm_user': {
      if (event.op !== 'update') return []
      const { person } = event
      const isSender = ({ sender_id }: MessageView) => sender_id === person.user_id
      if ('full_name' in person) {
        return changeWhere(isSender, (message) => ({ ...message, sender_full_name: person.full_name }))
      }
      if ('avatar_url' in person) {
        return changeWhere(isSender, (message) => ({ ...message, avatar_url: person.avatar_url }))
      }
      return []
    }
    case 'stream': {
      if (event.op !== 'update' || event.property !== 'name') return []
      return changeWhere(
        (message) => message.type === 'stream' && message.stream_id === event.stream_id,
        (message) => ({ ...message, display_recipient: String(event.value) }) as MessageView,
      )
    }
    default:
      return []
  }
}

type Update = ChatEvent<'update_message'>

function edited(message: MessageView, event: Update): MessageView {
  const { rendered_content, is_me_message, flags, edit_timestamp, rendering_only } = event
  if (rendered_content === undefined) return message
  // Search matches belong to the old text.
  const { match_content: _, ...rest } = message
  return {
    ...rest,
    content: rendered_content,
    flags,
    ...(is_me_message !== undefined && { is_me_message }),
    ...(!rendering_only && { last_edit_timestamp: edit_timestamp }),
  }
}

function moved(message: MessageView, event: Update, { streams }: ClientState): MessageView {
  if (message.type !== 'stream') return message
  const { subject = message.subject, new_stream_id = message.stream_id, topic_links, edit_timestamp } = event
  const { match_subject: _, ...rest } = message
  return {
    ...rest,
    subject,
    stream_id: new_stream_id,
    display_recipient: streams.find((one) => one.stream_id === new_stream_id)?.name ?? message.display_recipient,
    ...(topic_links && { topic_links }),
    last_moved_timestamp: edit_timestamp,
  }
}
