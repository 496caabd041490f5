import * as v from 'valibot'
import { flag, fold } from '../../../storage/index.ts'
import { groupGraph } from '../../access/group-graph.ts'
import { requirePermission } from '../../access/permissions.ts'
import { requireVoice } from '../../access/silence.ts'
import { renameInBots } from '../../bots/profiles/renamed-stream.ts'
import { checkPermissionChange } from '../../groups/check-setting.ts'
import { action, requireRole } from '../../kernel/action.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest, notPermitted } from '../../kernel/errors.ts'
import { bool, described, id, integer } from '../../kernel/fields.ts'
import { renderPlain } from '../../markup/render/render-plain.ts'
import { sayChanged } from '../../messages/notices/stream-changes.ts'
import { emitStarChanges, visibleStars } from '../../read-state/stars.ts'
import { requireAllowedFields } from '../../review/filters/require.ts'
import { requireEstablished } from '../../review/newcomers.ts'
import type { SystemGroupName } from '../../settings/group-setting-value.ts'
import { changeParams } from '../../settings/setting.ts'
import { empty } from '../../shapes/values.ts'
import { type AccessedStream, accessManagedStream, canReadStream, type Stream } from '../access.ts'
import { emitStreamChange } from '../announce-change.ts'
import {
  requireFreeStreamName,
  requireOpenTopics,
  requireWebPublic,
  retentionDays,
  streamDescription,
  streamName,
  toStoredRetention,
} from '../create.ts'
import { removeFromStreamGroups } from '../default-stream-groups.ts'
import { makeDefaultStream, removeFromDefaults } from '../default-streams.ts'
import { accessFolder } from '../folders.ts'
import { keepReportsPrivate } from '../moderation-channel.ts'
import {
  aboutDeleting,
  givesContent,
  type StreamSettings,
  streamSetting,
  streamSettingNames,
  streamSettings,
} from '../settings.ts'
import { invalidateStream } from '../stored.ts'
import { requireChoosing, requireOnlyGeneralChat, topicsPolicy } from '../topics-policy.ts'
import { unarchive } from './archive-stream.ts'

const slowModeSeconds = v.pipe(integer, v.minValue(0, 'Invalid {name}'), v.maxValue(86_400, 'Invalid {name}'))

const params = v.object({
  stream_id: described(id, 'ID of the channel.'),
  new_name: described(v.nullish(streamName), 'The new name.'),
  description: described(v.nullish(streamDescription), 'Description, at most 1,024 characters.'),
  is_private: described(v.nullish(bool), 'Whether only subscribers can read it.'),
  is_web_public: described(v.nullish(bool), 'Whether people without an account can read it.'),
  history_public_to_subscribers: described(
    v.nullish(bool),
    'Whether new subscribers can see earlier messages. Only for private channels.',
  ),
  folder_id: described(v.optional(v.nullable(id)), 'ID of its folder, or null to remove it from its folder.'),
  topics_policy: described(
    v.nullish(topicsPolicy),
    'Which topics are allowed: inherit, allow_empty_topic, disable_empty_topic or empty_topic_only.',
  ),
  slow_mode_seconds: described(
    v.nullish(slowModeSeconds),
    'Seconds between two messages of one person, up to a day; 0 for no limit. Moderators and bots have none.',
  ),
  is_archived: described(v.nullish(bool), '`false` unarchives the channel. Use DELETE to archive it.'),
  is_default_stream: described(v.nullish(bool), 'Whether new users are subscribed to it.'),
  is_announcement_only: described(v.nullish(bool), 'Deprecated. Whether only administrators can send messages.'),
  stream_post_policy: described(
    v.nullish(v.picklist([1, 2, 3, 4])),
    'Deprecated. Who can send messages: 1 everyone, 2 administrators, 3 full members, 4 moderators.',
  ),
  message_retention_days: described(
    v.nullish(retentionDays),
    'Days to keep messages, or "realm_default" or "unlimited".',
  ),
  ...changeParams(streamSettings),
})
type Params = v.InferOutput<typeof params>

/**
 * PATCH /streams/{stream_id}: changes a stream.
 *
 * @throws CANNOT_ADMINISTER_CHANNEL unless the caller administers it
 * @throws SILENCED for a new name or description while a moderator has silenced the caller
 * @throws UNAUTHORIZED_PRINCIPAL for settings that only owners or administrators change
 * @throws EXPECTATION_MISMATCH if a permission's `old` value isn't the current one
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown or hidden stream; also for a name that is taken
 * @example
 * await updateStream(caller, { stream_id, new_name: 'padua', is_private: true })
 */
export const updateStream = action(
  {
    name: 'updateStream',
    summary: 'Update a channel',
    audit: { subject: 'channel', id: ({ stream_id }) => stream_id },
    params,
    result: empty,
    errors: ['CANNOT_ADMINISTER_CHANNEL', 'UNAUTHORIZED_PRINCIPAL', 'EXPECTATION_MISMATCH', 'SILENCED'],
  },
  (caller, { stream_id, ...requested }) =>
    caller.write(async (tx) => {
      if (requested.is_archived) throw badRequest('Use DELETE /streams/{stream_id} to archive a channel')
      if (requested.is_archived === false) await unarchive(tx, stream_id)
      const stream = await accessManagedStream(tx, stream_id)
      // Managing a stream does not include changing the organization's list of default streams.
      if (requested.is_default_stream != null) requireRole(tx, 'administrator')
      const change = {
        ...(await naming(tx, stream, requested)),
        ...(await privacy(tx, stream, requested)),
        ...(await settings(tx, stream, requested)),
        ...retention(tx, requested),
        ...(requested.slow_mode_seconds != null && { slow_mode_seconds: requested.slow_mode_seconds }),
        ...(await filing(tx, requested)),
        ...(await topics(tx, stream, requested)),
      }
      await requireOpenTopics(tx, { ...stream, ...change })
      await keepReportsPrivate(tx, stream, { ...stream, ...change })
      const stars = change.invite_only === undefined ? undefined : await visibleStars(tx, [stream])
      if (Object.keys(change).length > 0) {
        await tx.db.updateTable('stream').set(change).where('id', '=', stream.id).execute()
        invalidateStream(tx, stream.id)
      }
      if (change.name !== undefined) await renameInBots(tx, stream.name, change.name)
      const { subscribed: _, ...before } = stream
      const after: Stream = { ...before, ...change }
      if (after.invite_only && requested.is_default_stream) throw badRequest('Private streams cannot be made default.')
      if (after.invite_only) await removeFromStreamGroups(tx, stream.id)
      if (after.invite_only || requested.is_default_stream === false) await removeFromDefaults(tx, stream.id)
      await emitStreamChange(tx, before, after)
      if (stars) await emitStarChanges(tx, stars, await visibleStars(tx, [after]))
      if (requested.is_default_stream) await makeDefaultStream(tx, after)
      await sayChanged(tx, before, after)
      return {}
    }),
)

async function naming(tx: Tx, stream: Stream, { new_name, description }: Omit<Params, 'stream_id'>) {
  const change: Partial<Stream> = {}
  if (new_name != null || description != null) {
    await requireVoice(tx)
    await requireEstablished(tx)
  }
  await requireAllowedFields(tx, { new_name, description })
  if (new_name != null) {
    if (new_name === stream.name) throw badRequest('Stream already has that name!')
    const name_key = fold(new_name)
    await requireFreeStreamName(tx, name_key, stream.id)
    Object.assign(change, { name: new_name, name_key })
  }
  if (description != null) Object.assign(change, { description, rendered_description: renderPlain(description) })
  return change
}

/** Only users who can read a stream may change who can, because administering it must not give access. */
function requireContent(tx: Tx, stream: AccessedStream): void {
  if (!canReadStream(stream, tx.user)) throw notPermitted('Channel content access is required.')
}

async function privacy(tx: Tx, stream: AccessedStream, requested: Omit<Params, 'stream_id'>): Promise<Partial<Stream>> {
  const { is_private, is_web_public, history_public_to_subscribers } = requested
  if (is_private == null && is_web_public == null && history_public_to_subscribers == null) return {}
  requireContent(tx, stream)
  const web = is_web_public ?? (is_private ? false : stream.is_web_public === 1)
  const invite_only = is_private ?? (is_web_public ? false : stream.invite_only === 1)
  if (web && invite_only) throw badRequest('Invalid parameters')
  if (web && stream.is_web_public === 0) await requireWebPublic(tx)
  const kept = stream.invite_only === 1 ? stream.history_public_to_subscribers === 1 : false
  // Anyone who can join a public stream can read its history.
  const history = !invite_only || (history_public_to_subscribers ?? kept)
  return {
    invite_only: flag(invite_only),
    is_web_public: flag(web),
    history_public_to_subscribers: flag(history),
  }
}

const postPolicies: Readonly<Record<number, SystemGroupName>> = {
  1: 'role:everyone',
  2: 'role:administrators',
  3: 'role:fullmembers',
  4: 'role:moderators',
}

async function settings(tx: Tx, stream: AccessedStream, requested: Omit<Params, 'stream_id'>) {
  const stored = JSON.parse(stream.settings) as StreamSettings
  const graph = await groupGraph.get(tx)
  const policy =
    requested.stream_post_policy ??
    (requested.is_announcement_only == null ? null : requested.is_announcement_only ? 2 : 1)
  const next: StreamSettings = { ...stored }
  if (policy !== null) next.can_send_message_group = graph.systemId.get(postPolicies[policy]!)!
  for (const name of streamSettingNames) {
    const change = requested[name]?.value
    if (!change) continue
    if (givesContent.has(name)) requireContent(tx, stream)
    if (aboutDeleting.has(name)) await requirePermission(tx, 'can_set_delete_message_policy_group')
    const present = streamSetting(stream.settings, name)
    next[name] = await checkPermissionChange(tx, name, streamSettings[name], change, present)
  }
  const json = JSON.stringify(next)
  return json === stream.settings ? {} : { settings: json }
}

function retention(tx: Tx, { message_retention_days: days }: Omit<Params, 'stream_id'>): Partial<Stream> {
  return days == null ? {} : { message_retention_days: toStoredRetention(tx, days) }
}

async function filing(tx: Tx, { folder_id }: Omit<Params, 'stream_id'>): Promise<Partial<Stream>> {
  if (folder_id === undefined) return {}
  return { folder_id: folder_id === null ? null : (await accessFolder(tx, folder_id)).id }
}

async function topics(tx: Tx, stream: Stream, { topics_policy }: Omit<Params, 'stream_id'>): Promise<Partial<Stream>> {
  if (topics_policy == null || topics_policy === stream.topics_policy) return {}
  await requireChoosing(tx, topics_policy)
  if (topics_policy === 'empty_topic_only') await requireOnlyGeneralChat(tx, stream.id)
  return { topics_policy }
}
