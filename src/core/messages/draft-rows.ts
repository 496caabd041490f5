import type { Selectable } from 'kysely'
import * as v from 'valibot'
import type { DraftTable } from '../../storage/index.ts'
import { seconds } from '../kernel/base/clock.ts'
import { MAX_DIRECT_PARTICIPANTS, MAX_MESSAGE_BYTES, MAX_TOPIC_LENGTH } from '../kernel/base/limits.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { id } from '../kernel/fields.ts'
import type { Draft } from '../shapes/draft.ts'
import { accessStream } from '../streams/access.ts'
import { findUsers } from '../users/access.ts'

export const draft = v.object({
  id: v.optional(id),
  type: v.picklist(['', 'private', 'direct', 'stream', 'channel']),
  to: v.pipe(v.array(id), v.maxLength(MAX_DIRECT_PARTICIPANTS, '{name} has too many entries')),
  topic: v.pipe(
    v.string(),
    v.check((s) => !s.includes('\0'), 'Topic must not contain null bytes'),
  ),
  content: v.pipe(
    v.string(),
    v.check((s) => !s.includes('\0'), 'Content must not contain null bytes'),
    // Spaces before the first word may make it a block of code.
    v.transform((s) => s.replace(/^(?:[ \t]*\r?\n)+/, '').trimEnd()),
    v.nonEmpty('Message must not be empty'),
    v.check(
      (s) => Buffer.byteLength(s) <= MAX_MESSAGE_BYTES,
      `Message is too long: at most ${MAX_MESSAGE_BYTES} bytes`,
    ),
  ),
  timestamp: v.optional(
    v.pipe(
      v.number(),
      v.minValue(0, 'Timestamp must not be negative.'),
      v.maxValue(Number.MAX_SAFE_INTEGER, 'Timestamp is too large.'),
    ),
  ),
})

type DraftInput = v.InferOutput<typeof draft>

export const draftView = (row: Selectable<DraftTable>): Draft => ({
  id: row.id,
  type: row.type,
  to: JSON.parse(row.recipients),
  topic: row.topic,
  content: row.content,
  timestamp: row.edited_at,
})

/** The caller's drafts, the most recently changed last. */
export async function draftsOf({ db, user }: Caller): Promise<Draft[]> {
  const rows = await db
    .selectFrom('draft')
    .selectAll()
    .where('user_id', '=', user.id)
    .orderBy('edited_at')
    .orderBy('id')
    .execute()
  return rows.map(draftView)
}

/** Returns the draft in its stored form. Throws if its writer can't see the recipient. */
export async function draftValues(tx: Tx, { type, to, topic, content, timestamp }: DraftInput) {
  const kind = type === 'channel' ? 'stream' : type === 'direct' ? 'private' : type
  if (kind === 'stream') {
    const [stream_id] = to
    if (stream_id === undefined || to.length !== 1) {
      throw badRequest('Must specify exactly 1 channel ID for channel messages')
    }
    await accessStream(tx, stream_id)
  } else if (kind === 'private') {
    const people = await findUsers(tx, to)
    const unknown = to.find((user_id) => !people.has(user_id))
    if (unknown !== undefined) throw badRequest(`Invalid user ID ${unknown}`)
  }
  return {
    type: kind,
    recipients: JSON.stringify(kind === '' ? [] : to),
    topic: kind === 'stream' ? [...topic.trim()].slice(0, MAX_TOPIC_LENGTH).join('') : '',
    content,
    edited_at: Math.floor(timestamp ?? seconds(tx.chat.clock)),
  } as const
}
