import * as v from 'valibot'
import { flag, fold, isUnset } from '../../storage/index.ts'
import { groupGraph, groupSettingView } from '../access/group-graph.ts'
import { requirePermission } from '../access/permissions.ts'
import { emit } from '../events/log/emit.ts'
import { recordAct } from '../kernel/audit.ts'
import { seconds } from '../kernel/base/clock.ts'
import { MAX_STREAM_DESCRIPTION_LENGTH, MAX_STREAM_NAME_LENGTH } from '../kernel/base/limits.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { badRequest, mustBeOwner } from '../kernel/errors.ts'
import { integer, line, maxCharacters, text } from '../kernel/fields.ts'
import { isOwner } from '../kernel/roles.ts'
import { renderPlain } from '../markup/render/render-plain.ts'
import { settingsOf } from '../settings/organization.ts'
import { type Stream, viewersOf } from './access.ts'
import { type StreamSettings, streamSetting } from './settings.ts'
import { invalidateStream } from './stored.ts'
import type { TopicsPolicy } from './topics-policy.ts'
import { streamViews } from './view.ts'

export const streamName = v.pipe(
  line,
  v.nonEmpty("Stream name can't be empty."),
  maxCharacters(MAX_STREAM_NAME_LENGTH, `Stream name too long (limit: ${MAX_STREAM_NAME_LENGTH} characters).`),
)
export const streamDescription = v.pipe(
  text,
  v.transform((s) => s.replace(/\s*[\r\n]\s*/g, ' ')),
  line,
  maxCharacters(
    MAX_STREAM_DESCRIPTION_LENGTH,
    `description is too long (limit: ${MAX_STREAM_DESCRIPTION_LENGTH} characters)`,
  ),
)

const BAD_DAYS = "Bad value for '{name}': {value}"
export const retentionDays = v.union(
  [v.pipe(integer, v.minValue(1, BAD_DAYS)), v.picklist(['realm_default', 'unlimited'])],
  BAD_DAYS,
)

/**
 * Returns the stored form: null for the organization's setting, -1 for forever. Throws unless the caller is an owner.
 */
export function toStoredRetention({ user }: Tx, days: v.InferOutput<typeof retentionDays>): number | null {
  if (!isOwner(user)) throw mustBeOwner()
  if (typeof days === 'number') return days
  return days === 'unlimited' ? -1 : null
}

/** Throws unless the caller may make a stream web-public. */
export async function requireWebPublic(caller: Caller): Promise<void> {
  if (!(await settingsOf(caller)).enable_spectator_access) throw badRequest('Web-public channels are not enabled.')
  await requirePermission(caller, 'can_create_web_public_channel_group')
}

/** Throws if another active stream has this name. */
export async function requireFreeStreamName({ db }: Tx, name_key: string, except: number): Promise<void> {
  const taken = await db
    .selectFrom('stream')
    .select('id')
    .where('name_key', '=', name_key)
    .where('is_archived', '=', isUnset)
    .where('id', '!=', except)
    .executeTakeFirst()
  if (taken) throw badRequest('Stream name already in use!')
}

/**
 * Throws for a private stream with protected history in which only some may start topics. An error would reveal which
 * topics exist.
 */
export async function requireOpenTopics(
  caller: Caller,
  stream: Pick<Stream, 'invite_only' | 'history_public_to_subscribers' | 'settings'>,
): Promise<void> {
  if (!stream.invite_only || stream.history_public_to_subscribers) return
  const graph = await groupGraph.get(caller)
  const value = groupSettingView(graph, streamSetting(stream.settings, 'can_create_topic_group'))
  if (value === graph.systemId.get('role:everyone')) return
  throw badRequest('In a private channel with protected history, everyone must be able to create topics.')
}

export interface NewStream {
  name: string
  description?: string
  invite_only?: boolean
  is_web_public?: boolean
  history_public_to_subscribers?: boolean
  message_retention_days?: number | null
  folder_id?: number | null
  topics_policy?: TopicsPolicy
  settings?: StreamSettings
}

/** Creates a stream without subscribers, and emits the event to those who may know of it. */
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
      // Anyone who can join a public stream can read its history, so it can't be protected.
      history_public_to_subscribers: flag(!invite_only || (input.history_public_to_subscribers ?? false)),
      message_retention_days: input.message_retention_days ?? null,
      is_archived: 0,
      first_message_id: null,
      is_recently_active: 1,
      folder_id: input.folder_id ?? null,
      topics_policy: input.topics_policy ?? 'inherit',
      settings: JSON.stringify(input.settings ?? {}),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  invalidateStream(tx, id)
  const streams = await streamViews(tx, [stream])
  await emit(tx, { type: 'stream', op: 'create', streams }, viewersOf(stream))
  const after = { name: input.name, invite_only, is_web_public: input.is_web_public ?? false }
  await recordAct(tx, { action: 'createChannel', subject_kind: 'channel', subject_id: id, after })
  return stream
}
