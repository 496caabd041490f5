import * as v from 'valibot'
import { accessMessage, type Message, readersOfAll, withUser } from '../../access/messages.ts'
import { can } from '../../access/permissions.ts'
import { topicNameOf } from '../../access/topics.ts'
import { emit } from '../../events/log/emit.ts'
import { filesOf, releaseFiles } from '../../files/claims.ts'
import { action } from '../../kernel/action.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { indexFrom } from '../../kernel/base/lists.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, id } from '../../kernel/fields.ts'
import { dialectOf } from '../../kernel/store.ts'
import { indexerOf } from '../../narrow/search/indexer.ts'
import { unindexMessages } from '../../narrow/search/text.ts'
import { emitStarsRemoved } from '../../read-state/stars.ts'
import { settingsOf } from '../../settings/organization.ts'
import { empty } from '../../shapes/values.ts'
import { findReadableStream } from '../../streams/access.ts'
import { allowsInStream, type StreamSettingName } from '../../streams/settings.ts'
import { keepFirstMessage } from '../send/first-message.ts'

/**
 * DELETE /messages/{message_id}: deletes a message permanently, for everyone. The response has no members. Files
 * without references (`detached_uploads` of an edit) are in attachment events.
 *
 * @throws BAD_REQUEST "Invalid message(s)" for an unknown or hidden message; also without the permission to delete it,
 * and after the time limit
 * @example
 * await deleteMessage(caller, { message_id })
 */
export const deleteMessage = action(
  {
    name: 'deleteMessage',
    summary: 'Delete a message',
    audit: { subject: 'message', id: ({ message_id }) => message_id },
    params: v.object({ message_id: described(id, 'ID of the message.') }),
    result: empty,
  },
  (caller, { message_id }) =>
    caller.write(async (tx) => {
      const message = await accessMessage(tx, message_id)
      await requireDeleting(tx, message)
      await removeMessages(tx, [message], tx.user.id)
      return {}
    }),
)

async function requireDeleting(caller: Caller, message: Message): Promise<void> {
  if (await can(caller, 'can_delete_any_message_group')) return
  const stream = message.topic_id === null ? undefined : await findReadableStream(caller, message.conversation_id)
  const allowsHere = async (name: StreamSettingName) => stream !== undefined && allowsInStream(caller, stream, name)
  if (await allowsHere('can_delete_any_message_group')) return
  const own = message.sender_id === caller.user.id
  const mayDeleteOwn = async () =>
    (await can(caller, 'can_delete_own_message_group')) || allowsHere('can_delete_own_message_group')
  if (!own || !(await mayDeleteOwn())) {
    throw badRequest("You don't have permission to delete this message")
  }
  const { message_content_delete_limit_seconds: limit } = await settingsOf(caller)
  if (limit !== null && seconds(caller.chat.clock) - message.sent_at > limit) {
    throw badRequest('The time limit for deleting this message has passed')
  }
}

/**
 * Deletes messages of one conversation and all rows that refer to them, and emits the events for users who had them.
 *
 * @param deleter also receives the events: a user who could see the messages, subscribed or not
 */
export async function removeMessages(tx: Tx, messages: readonly Message[], deleter?: number): Promise<void> {
  const [first] = messages
  if (!first) return
  const ids = messages.map((message) => message.id)
  const parts = await deletionsByReaders(tx, messages)
  const topic = first.topic_id === null ? undefined : await topicNameOf(tx.db, first.topic_id)
  const { idsIn } = dialectOf(tx.chat)
  if (topic !== undefined) await emitStarsRemoved(tx, first.conversation_id, ids)
  await unindexMessages(tx, ids)
  tx.afterCommit(() => indexerOf(tx.chat).wake())
  const files = await filesOf(tx, ids)
  // The record of its send stays, so that a client that repeats the send doesn't restore the message.
  await tx.db.deleteFrom('message').where('id', 'in', idsIn(ids)).execute()
  if (topic !== undefined) await keepFirstMessage(tx, [first.conversation_id])
  const place =
    topic === undefined
      ? ({ message_type: 'private' } as const)
      : ({ message_type: 'stream', stream_id: first.conversation_id, topic } as const)
  for (const { message_ids, audience } of parts) {
    const readers = deleter === undefined ? audience : withUser(audience, deleter)
    await emit(tx, { type: 'delete_message', message_ids, ...place }, readers)
  }
  await releaseFiles(tx, files)
}

/**
 * Divides messages of one conversation so that each part has the same readers. With protected history, readers differ
 * where a subscription begins or ends.
 */
async function deletionsByReaders(tx: Tx, messages: readonly Message[]) {
  const sorted = [...messages].sort((a, b) => a.id - b.id)
  const audience = await readersOfAll(tx, sorted)
  const all = sorted.map(({ id }) => id)
  if (audience.since_message === undefined || all.length === 1) return [{ message_ids: all, audience }]
  const [first, last] = [all[0]!, all.at(-1)!]
  const rows = await tx.db
    .selectFrom('subscription_period')
    .select(['from_message_id', 'to_message_id'])
    .where('stream_id', '=', sorted[0]!.conversation_id)
    .where((eb) => eb.or([eb.between('from_message_id', first, last), eb.between('to_message_id', first, last)]))
    .execute()
  const limits = [...new Set(rows.flatMap((row) => [row.from_message_id, row.to_message_id ?? last + 1]))]
  const starts = [0, ...limits.map((limit) => indexFrom(all, limit)), all.length]
  return [...new Set(starts)]
    .sort((a, b) => a - b)
    .flatMap((start, i, cuts) => {
      const message_ids = all.slice(start, cuts[i + 1])
      const [since_message] = message_ids
      return since_message === undefined ? [] : [{ message_ids, audience: { ...audience, since_message } }]
    })
}
