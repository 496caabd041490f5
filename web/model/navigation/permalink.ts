import { isChatError, type Narrow } from '../../../src/client/index.ts'
import { texts } from '../../texts/texts.ts'
import { addressOf, type Conversation, conversationKey, conversationOf } from '../reading/conversations.ts'
import { goInstead } from '../state/route.ts'
import { perSession, type Session } from '../state/session.ts'

const narrowsById = perSession(() => new WeakMap<Narrow, Narrow>())

/**
 * Replaces stream names in the narrow of an older link with ids, as far as the reader knows the streams. A stored state
 * has only some of them, so readers update when the others come.
 */
export function narrowById(session: Session, narrow: Narrow): Narrow {
  const known = narrowsById(session)
  const before = known.get(narrow)
  if (before) return before
  const state = session.read('streams')
  const idOf = (name: string): number | undefined => {
    // Links have dashes for spaces.
    const spaced = name.replaceAll('-', ' ').toLowerCase()
    const found =
      state.streams.find((one) => one.name.toLowerCase() === name.toLowerCase()) ??
      state.streams.find((one) => one.name.replaceAll('-', ' ').toLowerCase() === spaced)
    return found?.stream_id
  }
  const byId = narrow.map((term) =>
    term.operator === 'channel' && typeof term.operand === 'string'
      ? { ...term, operand: idOf(term.operand) ?? term.operand }
      : term,
  )
  const isComplete = !byId.some(({ operator, operand }) => operator === 'channel' && typeof operand === 'string')
  if (!isComplete) return narrow
  known.set(narrow, byId)
  return byId
}

/** Redirects a link to a moved message. Returns an error text if the message is nowhere. */
export async function followMoved(
  { client, state }: Session,
  linked: Conversation,
  message_id: number,
  near: number | undefined,
): Promise<string | undefined> {
  try {
    // Fetched from the server, because the page may not have received the move yet.
    const { message } = await client.getMessage({ message_id, allow_empty_topic_name: true })
    const conversation = conversationOf(message, state.user_id)
    if (conversationKey(conversation) !== conversationKey(linked)) goInstead(addressOf(conversation, state, near))
  } catch (error) {
    if (isChatError(error)) return texts.problems.messageGone
  }
  return undefined
}
