import type { Message } from '../../access/messages.ts'
import { can } from '../../access/permissions.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Caller } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { isModerator } from '../../kernel/roles.ts'
import { settingsOf } from '../../settings/organization.ts'
import { administersStream, findReadableStream } from '../../streams/access.ts'
import { allowsInStream, type StreamSettingName } from '../../streams/settings.ts'
import { isResolveToggle } from './resolved-topics.ts'

/** Whether a message is past a time limit of the organization; null is none. */
export const isOlder = ({ chat }: Caller, message: Pick<Message, 'sent_at'>, limit: number | null): boolean =>
  limit !== null && seconds(chat.clock) - message.sent_at > limit

/** Whether the message's stream itself lets the caller do this with its messages. */
async function allowedThere(caller: Caller, message: Message, permission: StreamSettingName): Promise<boolean> {
  const stream = await findReadableStream(caller, message.conversation_id)
  return stream !== undefined && allowsInStream(caller, stream, permission)
}

/** The same for moving messages, which the administrators of a stream always may. */
async function movableThere(caller: Caller, message: Message, permission: StreamSettingName): Promise<boolean> {
  const stream = await findReadableStream(caller, message.conversation_id)
  if (!stream) return false
  return (await administersStream(caller, stream)) || allowsInStream(caller, stream, permission)
}

/** Throws unless the caller may change the message's topic. */
export async function requireTopicMove(caller: Caller, message: Message, from: string, to: string): Promise<void> {
  if (isResolveToggle(from, to)) {
    const allowed =
      (await can(caller, 'can_resolve_topics_group')) ||
      (await allowedThere(caller, message, 'can_resolve_topics_group'))
    if (!allowed) {
      throw badRequest("You don't have permission to resolve topics.")
    }
    // Resolving applies to the current topic, however old its messages are.
    return
  }
  // Anyone may give a topic to messages without one.
  const allowed =
    from === '' ||
    (await can(caller, 'can_move_messages_between_topics_group')) ||
    (await movableThere(caller, message, 'can_move_messages_within_channel_group'))
  if (!allowed) {
    throw badRequest("You don't have permission to edit this message")
  }
  const { move_messages_within_stream_limit_seconds: limit } = await settingsOf(caller)
  if (!isModerator(caller.user) && isOlder(caller, message, limit)) {
    throw badRequest("The time limit for editing this message's topic has passed.")
  }
}

/** Throws unless the caller may move the message to another stream. */
export async function requireStreamMove(caller: Caller, message: Message): Promise<void> {
  const allowed =
    (await can(caller, 'can_move_messages_between_channels_group')) ||
    (await movableThere(caller, message, 'can_move_messages_out_of_channel_group'))
  if (!allowed) {
    throw badRequest("You don't have permission to move this message")
  }
  const { move_messages_between_streams_limit_seconds: limit } = await settingsOf(caller)
  if (!isModerator(caller.user) && isOlder(caller, message, limit)) {
    throw badRequest("The time limit for editing this message's channel has passed")
  }
}

/** Maximum age, in seconds, of messages that the caller moves along with others; null for any age. */
export async function moveLimit(caller: Caller, toOtherStream: boolean): Promise<number | null> {
  if (isModerator(caller.user)) return null
  const settings = await settingsOf(caller)
  return toOtherStream
    ? settings.move_messages_between_streams_limit_seconds
    : settings.move_messages_within_stream_limit_seconds
}
