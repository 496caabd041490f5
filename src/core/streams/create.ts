import * as v from 'valibot'
import { flag, fold } from '../../storage/index.ts'
import { seconds } from '../clock.ts'
import type { Tx } from '../context.ts'
import { emit } from '../event-log/emit.ts'
import { integer, line, nonEmptyLine } from '../fields.ts'
import { lengthOf, MAX_STREAM_DESCRIPTION_LENGTH, MAX_STREAM_NAME_LENGTH } from '../limits.ts'
import { renderPlain } from '../markup/render-plain.ts'
import { type Stream, viewersOf } from './access.ts'
import type { StreamSettings } from './settings.ts'
import { streamViews } from './view.ts'

export const streamName = v.pipe(
  nonEmptyLine,
  v.check(
    (s) => lengthOf(s) <= MAX_STREAM_NAME_LENGTH,
    `Stream name too long (limit: ${MAX_STREAM_NAME_LENGTH} characters).`,
  ),
)
export const streamDescription = v.pipe(
  line,
  v.check(
    (s) => lengthOf(s) <= MAX_STREAM_DESCRIPTION_LENGTH,
    `description is too long (limit: ${MAX_STREAM_DESCRIPTION_LENGTH} characters)`,
  ),
)

export const retentionDays = v.union([
  v.pipe(integer, v.minValue(1, 'Bad value for {name}')),
  v.picklist(['realm_default', 'unlimited']),
])
export const toStoredRetention = (days: v.InferOutput<typeof retentionDays>): number | null =>
  typeof days === 'number' ? days : days === 'unlimited' ? -1 : null

export interface NewStream {
  name: string
  description?: string
  invite_only?: boolean
  is_web_public?: boolean
  history_public_to_subscribers?: boolean
  message_retention_days?: number | null
  settings?: StreamSettings
}

/** A new stream without subscribers, announced to those who may know of it. */
export async function insertStream(tx: Tx, input: NewStream): Promise<Stream> {
  const { id } = await tx.db
    .insertInto('conversation')
    .values({ kind: 'stream', participant_key: null })
    .returning('id')
    .executeTakeFirstOrThrow()
  const invite_only = input.invite_only ?? false
  const description = input.description ?? ''
  const stream = await tx.db
    .insertInto('stream')
    .values({
      id,
      name: input.name,
      name_key: fold(input.name),
      description,
      rendered_description: renderPlain(description),
      creator_id: tx.user.id,
      date_created: seconds(tx.chat.clock),
      invite_only: flag(invite_only),
      is_web_public: flag(input.is_web_public ?? false),
      // The history of a public stream is open to all who can join it, so it cannot be protected.
      history_public_to_subscribers: flag(!invite_only || (input.history_public_to_subscribers ?? false)),
      message_retention_days: input.message_retention_days ?? null,
      is_archived: 0,
      first_message_id: null,
      settings: JSON.stringify(input.settings ?? {}),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  const streams = await streamViews(tx, [stream])
  await emit(tx, { type: 'stream', op: 'create', streams }, viewersOf(stream))
  return stream
}
