import { expandGroup } from '../../access/group-members.ts'
import type { Message } from '../../access/messages.ts'
import type { Tx } from '../../context.ts'
import type { Rendered } from '../../markup/context.ts'
import { bits } from '../../read-state/flag-bits.ts'
import { subscribersAmong } from '../../streams/subscribers.ts'
import { allAlertWords } from '../../users/alert-words.ts'
import type { Recipient } from './recipient.ts'
import { topicParticipants } from './wildcards.ts'

/**
 * Flag bits by user, for those who are mentioned or alerted. Rows are written only for these, never for all readers.
 */
export async function recordMentions(
  tx: Tx,
  message: Message,
  recipient: Recipient,
  rendered: Rendered,
): Promise<ReadonlyMap<number, number>> {
  const flagsByUser = await mentionsOf(tx, message, recipient, rendered)
  if (flagsByUser.size > 0) {
    await tx.db
      .insertInto('message_flag')
      .values([...flagsByUser].map(([user_id, flags]) => ({ user_id, message_id: message.id, flags })))
      .execute()
  }
  return flagsByUser
}

/** The same without writing: the flags that a message should have after an edit. */
export async function mentionsOf(
  tx: Tx,
  message: Pick<Message, 'content' | 'topic_id'>,
  recipient: Recipient,
  rendered: Rendered,
): Promise<ReadonlyMap<number, number>> {
  const requested = new Map<number, number>()
  const mark = (user_id: number, bit: number) => requested.set(user_id, (requested.get(user_id) ?? 0) | bit)
  for (const id of rendered.mentionedUserIds) mark(id, bits.mentioned)
  for (const group of rendered.mentionedGroupIds)
    for (const id of await expandGroup(tx, group)) mark(id, bits.mentioned)
  if (rendered.topicWildcard && message.topic_id !== null) {
    for (const id of await topicParticipants(tx, message.topic_id)) mark(id, bits.topic_wildcard_mentioned)
  }
  for (const id of await usersAlertedBy(tx, message.content)) mark(id, bits.has_alert_word)
  if (requested.size === 0) return requested
  const reached = new Set(await readersAmong(tx, recipient, [...requested.keys()]))
  for (const id of requested.keys()) if (!reached.has(id)) requested.delete(id)
  return requested
}

/** A mention only applies to users who receive the message: subscribers, or participants of the conversation. */
async function readersAmong(tx: Tx, recipient: Recipient, user_ids: number[]): Promise<number[]> {
  if (recipient.kind === 'stream') return subscribersAmong(tx, recipient.stream.id, user_ids)
  const people = new Set(recipient.people.map((user) => user.id))
  return user_ids.filter((id) => people.has(id))
}

async function usersAlertedBy(tx: Tx, content: string): Promise<number[]> {
  const words = await allAlertWords.get(tx)
  if (words.length === 0) return []
  const text = content.toLowerCase()
  return words.filter(({ word_key }) => containsWord(text, word_key)).map(({ user_id }) => user_id)
}

const isWordCharacter = (character: string | undefined): boolean =>
  character !== undefined && /[\p{L}\p{N}_]/u.test(character)

/** Whether a phrase occurs in the text as whole words. */
function containsWord(text: string, word: string): boolean {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!isWordCharacter(text[at - 1]) && !isWordCharacter(text[at + word.length])) return true
  }
  return false
}
