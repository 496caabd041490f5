import { fold, isSet, isUnset } from '../../../storage/index.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../../kernel/base/limits.ts'
import type { Caller } from '../../kernel/context.ts'
import { isGuest } from '../../kernel/roles.ts'
import { dialectOf } from '../../kernel/store.ts'
import { type AccessedStream, canReadStream, findStreamToRead, findStreamToReadByName } from '../../streams/access.ts'
import { column, type MessageRow, type Predicate } from './predicate.ts'
import { badNarrow, type Operand } from './terms.ts'

async function accessChannel(caller: Caller, operand: Operand): Promise<AccessedStream> {
  let stream: AccessedStream | undefined
  if (typeof operand === 'number') stream = await findStreamToRead(caller, operand)
  if (typeof operand === 'string') {
    stream = await findStreamToReadByName(caller, operand)
    if (!stream && /^\d{1,15}$/.test(operand)) stream = await findStreamToRead(caller, Number(operand))
  }
  if (!stream) throw badNarrow('unknown channel')
  return stream
}

export async function inStream(caller: Caller, operand: Operand): Promise<Predicate> {
  const stream = await accessChannel(caller, operand)
  return {
    sql: (row) => row(column(row, 'conversation_id'), '=', stream.id),
    matches: (message) => message.stream_id === stream.id,
    sources: [{ by: 'conversation_id', values: canReadStream(stream, caller.user) ? [stream.id] : [] }],
    operand: stream.id,
    lasting: typeof operand === 'number',
  }
}

/** Matches messages in all public, all web-public or all archived streams. */
export async function inStreamsOfKind(caller: Caller, operand: Operand): Promise<Predicate> {
  if (operand === 'archived') return inArchivedStreams(caller)
  if (operand !== 'public' && operand !== 'web-public') throw badNarrow(`unknown channels operand ${operand}`)
  let query = caller.db
    .selectFrom('stream')
    .select('id')
    .where('invite_only', '=', 0)
    .where('is_archived', '=', isUnset)
  if (operand === 'web-public') query = query.where('is_web_public', '=', 1)
  // Guests can read only the streams they are subscribed to.
  if (isGuest(caller.user)) {
    query = query.where((eb) =>
      eb.or([
        eb('is_web_public', '=', 1),
        eb.exists(
          eb
            .selectFrom('subscription')
            .select('subscription.user_id')
            .where('subscription.user_id', '=', caller.user.id)
            .where('subscription.is_active', '=', 1)
            .whereRef('subscription.stream_id', '=', 'stream.id'),
        ),
      ]),
    )
  }
  const values = (await query.execute()).map((stream) => stream.id)
  const known = new Set(values)
  return {
    sql: (row) => row(column(row, 'conversation_id'), 'in', dialectOf(caller.chat).idsIn(values)),
    matches: (message) => message.stream_id !== null && known.has(message.stream_id),
    sources: [{ by: 'conversation_id', values }],
  }
}

/** Archived streams: only messages that the caller has received. */
async function inArchivedStreams({ chat, db }: Caller): Promise<Predicate> {
  const rows = await db.selectFrom('stream').select('id').where('is_archived', '=', isSet).execute()
  const values = rows.map((stream) => stream.id)
  const known = new Set(values)
  return {
    sql: (row) => row(column(row, 'conversation_id'), 'in', dialectOf(chat).idsIn(values)),
    matches: (message) => message.stream_id !== null && known.has(message.stream_id),
    sources: [{ by: 'conversation_id', values }],
  }
}

/** Folded names that mean a topic: the display name of the empty topic means the empty one too. */
function topicKeys(name: string): string[] {
  const key = fold(name.trim())
  if (key === '(no topic)') return ['']
  return key === fold(EMPTY_TOPIC_DISPLAY_NAME) ? ['', key] : [key]
}

/** Topics of this name in all streams. */
export async function inTopic(caller: Caller, operand: Operand): Promise<Predicate> {
  if (typeof operand === 'object') throw badNarrow('invalid topic')
  const keys = topicKeys(String(operand))
  const topics = await caller.db
    .selectFrom('topic')
    .select(['id', 'stream_id'])
    .where('name_key', 'in', dialectOf(caller.chat).textsIn(keys))
    .execute()
  const values = topics.map((topic) => topic.id)
  return {
    sql: (row) => ofTopics(caller, row, values),
    matches: ({ topic_key }) => topic_key !== null && keys.includes(topic_key),
    sources: [{ by: 'topic_id', topics }],
    lasting: true,
  }
}

/** Condition: in one of these topics. */
export const ofTopics = (caller: Caller, row: MessageRow, topic_ids: readonly number[]) =>
  row(column(row, 'topic_id'), 'in', dialectOf(caller.chat).idsIn(topic_ids))
