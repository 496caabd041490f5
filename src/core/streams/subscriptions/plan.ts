import { flag, fold, isUnset } from '../../../storage/index.ts'
import { can, requirePermission } from '../../access/permissions.ts'
import { requireVoice } from '../../access/silence.ts'
import { checkPermission } from '../../groups/check-setting.ts'
import { requireRole } from '../../kernel/action.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { isGuest } from '../../kernel/roles.ts'
import type { User } from '../../kernel/user.ts'
import { requireAllowedFields } from '../../review/filters/require.ts'
import { requireEstablished } from '../../review/newcomers.ts'
import { type AccessedStream, findStreamToJoin } from '../access.ts'
import { insertStream, requireOpenTopics, requireWebPublic, toStoredRetention } from '../create.ts'
import { makeDefaultStream } from '../default-streams.ts'
import { accessFolder } from '../folders.ts'
import { aboutDeleting, allowsInStream, type StreamSettings, streamSettingNames, streamSettings } from '../settings.ts'
import { requireChoosing, type TopicsPolicy } from '../topics-policy.ts'
import type { SubscribeParams } from './subscribe-params.ts'

/**
 * Returns whether the caller may join. Everyone except guests may join public streams. Private streams require the
 * right to add subscribers.
 */
async function mayJoin(caller: Caller, stream: AccessedStream, users: readonly User[]): Promise<boolean> {
  const onlySelf = users.every((user) => user.id === caller.user.id)
  if (onlySelf && stream.subscribed) return true
  if (isGuest(caller.user)) return false
  if (onlySelf && !stream.invite_only) return true
  // A user who may add others may add themselves.
  if (await allowsInStream(caller, stream, 'can_add_subscribers_group')) return true
  if (onlySelf) return allowsInStream(caller, stream, 'can_subscribe_group')
  return (!stream.invite_only || stream.subscribed) && can(caller, 'can_add_subscribers_group')
}

/** What to do with a requested stream name. */
export type Plan =
  | { kind: 'join'; stream: AccessedStream }
  | { kind: 'create' }
  /** The caller may not join it, or the name belongs to a private stream that is hidden from them. */
  | { kind: 'refused' }

/** Looks up a name. Throws if it is new and the caller may not create such a stream. */
export async function planFor(
  caller: Caller,
  { name }: { name: string },
  users: readonly User[],
  requested: SubscribeParams,
): Promise<Plan> {
  const stream = await findStreamToJoin(caller, name)
  if (stream) return (await mayJoin(caller, stream, users)) ? { kind: 'join', stream } : { kind: 'refused' }
  await requireCreating(caller, requested)
  const taken = await caller.db
    .selectFrom('stream')
    .select('id')
    .where('name_key', '=', fold(name))
    .where('is_archived', '=', isUnset)
    .executeTakeFirst()
  return { kind: taken ? 'refused' : 'create' }
}

async function requireCreating(caller: Caller, requested: SubscribeParams): Promise<void> {
  if (requested.invite_only && requested.is_web_public) throw badRequest('Invalid parameters')
  if (requested.is_web_public) await requireWebPublic(caller)
  await requirePermission(
    caller,
    requested.invite_only ? 'can_create_private_channel_group' : 'can_create_public_channel_group',
  )
  if (requested.is_default_stream) requireRole(caller, 'administrator')
  if (requested.is_default_stream && requested.invite_only) throw badRequest('Private streams cannot be made default.')
  if (requested.topics_policy != null) await requireChoosing(caller, requested.topics_policy as TopicsPolicy)
  if (requested.folder_id != null) await accessFolder(caller, requested.folder_id)
  await settingsFor(caller, requested)
}

async function settingsFor(caller: Caller, requested: SubscribeParams): Promise<StreamSettings> {
  const settings: StreamSettings = {
    can_administer_channel_group: { direct_members: [caller.user.id], direct_subgroups: [] },
  }
  for (const key of streamSettingNames) {
    const value = requested[key]
    if (value == null) continue
    if (aboutDeleting.has(key)) await requirePermission(caller, 'can_set_delete_message_policy_group')
    settings[key] = await checkPermission(caller, key, streamSettings[key], value)
  }
  await requireOpenTopics(caller, {
    invite_only: flag(requested.invite_only ?? false),
    history_public_to_subscribers: flag(requested.history_public_to_subscribers ?? false),
    settings: JSON.stringify(settings),
  })
  return settings
}

/** Creates the stream of a plan. */
export async function createPlanned(
  tx: Tx,
  { name, description }: SubscribeParams['subscriptions'][number],
  requested: SubscribeParams,
): Promise<AccessedStream> {
  await requireVoice(tx)
  await requireAllowedFields(tx, { name, description })
  // An announcement may show everybody the description.
  await requireEstablished(tx)
  const days = requested.message_retention_days
  const stream = await insertStream(tx, {
    name,
    description: description ?? '',
    invite_only: requested.invite_only ?? false,
    is_web_public: requested.is_web_public ?? false,
    ...(typeof requested.history_public_to_subscribers === 'boolean' && {
      history_public_to_subscribers: requested.history_public_to_subscribers,
    }),
    message_retention_days: days == null ? null : toStoredRetention(tx, days),
    folder_id: requested.folder_id ?? null,
    topics_policy: (requested.topics_policy ?? 'inherit') as TopicsPolicy,
    settings: await settingsFor(tx, requested),
  })
  if (requested.is_default_stream) await makeDefaultStream(tx, stream)
  return { ...stream, subscribed: false }
}
