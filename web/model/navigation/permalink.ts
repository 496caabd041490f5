import { isChatError, type Narrow } from '../../../src/client/index.ts'
import { texts } from '../../texts/texts.ts'
import { addressOf, type Conversation, conversationKey, conversationOf } from '../reading/conversations.ts'
import { goInstead } from '../state/route.ts'
import type { Session } from '../state/session.ts'

const known = new WeakMap<Narrow, Narrow>()

/** A narrow as older links have it, with the names of streams, by their ids as far as the reader knows them. */
export function narrowById({ state }: Session, narrow: Narrow): Narrow {
  const before = known.get(narrow)
  if (before) return before
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
  known.set(narrow, byId)
  return byId
}

/** A link to a message that has been moved since leads to where it is now. Answers a sentence where it is nowhere. */
export async function followMoved(
  { client, state }: Session,
  linked: Conversation,
  message_id: number,
  near: number | undefined,
): Promise<string | undefined> {
  try {
    // Asked of the server: what the page knows may be from before a move that it is just hearing of.
    const { message } = await client.getMessage({ message_id, allow_empty_topic_name: true })
    const conversation = conversationOf(message, state.user_id)
    if (conversationKey(conversation) !== conversationKey(linked)) goInstead(addressOf(conversation, state, near))
  } catch (error) {
    if (isChatError(error)) return texts.problems.messageGone
  }
  return undefined
}
