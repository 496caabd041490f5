import * as v from 'valibot'
import { fold } from '../../../storage/index.ts'
import { visibleTo } from '../../access/message-visibility.ts'
import { can } from '../../access/permissions.ts'
import { action } from '../../kernel/action.ts'
import { storedTopicName } from '../../kernel/base/topic-name.ts'
import type { Caller } from '../../kernel/context.ts'
import { mustBeAdministrator } from '../../kernel/errors.ts'
import { described, id, text } from '../../kernel/fields.ts'
import { nextSize } from '../../kernel/slices.ts'
import { accessStream, canReadStream } from '../../streams/access.ts'
import { allowsInStream } from '../../streams/settings.ts'
import { findTopic } from '../send/topics.ts'
import { removeMessages } from './delete.ts'

export interface Pace {
  /** Messages deleted in the first commit. Later ones have as many as fit into a short time. */
  batch: number
  /** No further commit begins after this time. The client repeats the request. */
  budget_ms: number
}

const PACE: Pace = { batch: 20, budget_ms: 10_000 }

/**
 * POST /streams/{stream_id}/delete_topic: deletes all of a topic's messages that the caller can see, newest first.
 * `complete` says whether all are deleted.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for users who may not delete others' messages
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown or hidden stream
 */
export const deleteTopic = action(
  {
    name: 'deleteTopic',
    summary: 'Delete a topic',
    audit: {
      subject: 'channel',
      id: ({ stream_id }) => stream_id,
      details: (_, removed) => ({ deleted_messages: removed }),
      each: true,
    },
    params: v.object({
      stream_id: described(id, 'ID of the channel.'),
      topic_name: described(text, 'Name of the topic.'),
    }),
    errors: ['UNAUTHORIZED_PRINCIPAL'],
    result: v.strictObject({ complete: v.boolean() }),
  },
  async (caller, { stream_id, topic_name }) => {
    const stream = await accessStream(caller, stream_id)
    // An administrator may know of a private stream without being able to read it. Messages they can't see aren't
    // deleted.
    const readable = canReadStream(stream, caller.user)
    const allowedHere = readable && (await allowsInStream(caller, stream, 'can_delete_any_message_group'))
    if (!allowedHere && !(await can(caller, 'can_delete_any_message_group'))) throw mustBeAdministrator()
    if (!readable) return { complete: true }
    return { complete: await deleteInBatches(caller, stream_id, fold(storedTopicName(topic_name.trim())), PACE) }
  },
)

/** Deletes until nothing is left or the time is up. Returns whether nothing is left. */
export async function deleteInBatches(
  caller: Caller,
  stream_id: number,
  topic_key: string,
  { batch, budget_ms }: Pace,
): Promise<boolean> {
  const { clock } = caller.chat
  const end = clock.now() + budget_ms
  for (let size = batch; ; ) {
    const { removed, took } = await caller.write(async (tx) => {
      const began = performance.now()
      const topic_id = await findTopic(tx, stream_id, topic_key)
      if (topic_id === undefined) return { removed: 0, took: 0 }
      const messages = await tx.db
        .selectFrom('message')
        .selectAll()
        .where('topic_id', '=', topic_id)
        .where((eb) => visibleTo(eb, tx.user))
        .orderBy('id', 'desc')
        .limit(size)
        .execute()
      await removeMessages(tx, messages.reverse(), tx.user.id)
      return { removed: messages.length, took: performance.now() - began }
    })
    if (removed < size) return true
    if (clock.now() >= end) return false
    size = nextSize(size, took)
  }
}
