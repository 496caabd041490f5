import { after, type Soon, statement } from '../../../storage/index.ts'
import { expandGroups } from '../../access/group-members.ts'
import type { Message } from '../../access/messages.ts'
import { groupBy } from '../../kernel/base/lists.ts'
import type { Tx } from '../../kernel/context.ts'
import { dialectOf } from '../../kernel/store.ts'
import type { Rendered } from '../../markup/context.ts'
import { bits, KEPT_UNREAD } from '../../read-state/flag-bits.ts'
import { subscribersAmong } from '../../streams/subscribers.ts'
import { usersAlertedBy } from '../../users/alerted.ts'
import type { Recipient } from './recipient.ts'
import { topicParticipants } from './wildcards.ts'

const addFlags = statement((db, p: { user_id: number; message_id: number; flags: number }) =>
  db.insertInto('message_flag').values({ user_id: p.user_id, message_id: p.message_id, flags: p.flags }),
)
/** Up to this many are written one by one, with a prepared statement. */
const FEW = 10

/**
 * Writes flag bits by user, for mentions and alert words. Only these users get rows, never all readers.
 *
 * @param unreadFor - users who get a message as unread that starts as read for others
 */
export const recordMentions = (
  tx: Tx,
  message: Message,
  recipient: Recipient,
  rendered: Rendered,
  unreadFor: readonly number[] = [],
): Soon<ReadonlyMap<number, number>> =>
  after(mentionsOf(tx, message, recipient, rendered), (mentions) => {
    const flagsByUser = unreadFor.length > 0 ? withBit(mentions, unreadFor, KEPT_UNREAD) : mentions
    return flagsByUser.size === 0 ? flagsByUser : writeFlags(tx, message.id, flagsByUser)
  })

async function writeFlags(
  tx: Tx,
  message_id: number,
  flagsByUser: ReadonlyMap<number, number>,
): Promise<ReadonlyMap<number, number>> {
  if (flagsByUser.size <= FEW) {
    for (const [user_id, flags] of flagsByUser) {
      const writing = addFlags(tx.db, { user_id, message_id, flags })
      if (writing instanceof Promise) await writing
    }
    return flagsByUser
  }
  const sameFlags = groupBy(
    flagsByUser,
    ([, flags]) => flags,
    ([user_id]) => [user_id],
  )
  for (const [flags, users] of sameFlags) {
    await tx.db
      .insertInto('message_flag')
      .columns(['user_id', 'message_id', 'flags'])
      // One bound value: a group may have more members than a query may have values.
      .expression((eb) =>
        eb
          .selectFrom(dialectOf(tx.chat).rows(['user_id'], users).as('flagged'))
          .select(['flagged.user_id', eb.val(message_id).as('message_id'), eb.val(flags).as('flags')]),
      )
      .execute()
  }
  return flagsByUser
}

function withBit(before: ReadonlyMap<number, number>, user_ids: readonly number[], bit: number): Map<number, number> {
  const flags = new Map(before)
  for (const id of user_ids) flags.set(id, (flags.get(id) ?? 0) | bit)
  return flags
}

/** Returns the flags that a message should have after an edit. */
export const mentionsOf = (
  tx: Tx,
  message: Pick<Message, 'content' | 'topic_id'>,
  recipient: Recipient,
  rendered: Rendered,
): Soon<ReadonlyMap<number, number>> =>
  after(usersAlertedBy(tx, message.content), (alerted) => {
    const { mentionedUserIds, mentionedGroupIds, topicWildcard } = rendered
    const isNobody = alerted.length + mentionedUserIds.length + mentionedGroupIds.length === 0 && !topicWildcard
    return isNobody ? nobody : flagsOf(tx, message.topic_id, recipient, rendered, alerted)
  })

const nobody: ReadonlyMap<number, number> = new Map()

async function flagsOf(
  tx: Tx,
  topic_id: number | null,
  recipient: Recipient,
  rendered: Rendered,
  alerted: readonly number[],
): Promise<ReadonlyMap<number, number>> {
  const stream_id = recipient.kind === 'stream' ? recipient.stream.id : undefined
  const requested = new Map<number, number>()
  const mark = (user_id: number, bit: number) => requested.set(user_id, (requested.get(user_id) ?? 0) | bit)
  for (const id of rendered.mentionedUserIds) mark(id, bits.mentioned)
  // A group may have very many members, so the ones who don't get the message aren't read.
  const inGroups =
    rendered.mentionedGroupIds.length > 0 ? await expandGroups(tx, rendered.mentionedGroupIds, stream_id) : []
  for (const id of inGroups) mark(id, bits.mentioned)
  if (rendered.topicWildcard && topic_id !== null) {
    for (const id of await topicParticipants(tx, topic_id)) mark(id, bits.topic_wildcard_mentioned)
  }
  for (const id of alerted) mark(id, bits.has_alert_word)
  const reached = new Set(stream_id === undefined ? [] : inGroups)
  const others = [...requested.keys()].filter((id) => !reached.has(id))
  for (const id of await readersAmong(tx, recipient, others)) reached.add(id)
  for (const id of requested.keys()) if (!reached.has(id)) requested.delete(id)
  return requested
}

/** A mention only applies to users who receive the message: subscribers, or participants of the conversation. */
export async function readersAmong(tx: Tx, recipient: Recipient, user_ids: number[]): Promise<number[]> {
  if (recipient.kind === 'stream') return subscribersAmong(tx, recipient.stream.id, user_ids)
  const people = new Set(recipient.people.map((user) => user.id))
  return user_ids.filter((id) => people.has(id))
}
