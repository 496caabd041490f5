import * as v from 'valibot'
import { fold, isUnset } from '../../storage/index.ts'
import { allows, can } from '../access/permissions.ts'
import { action, requireRole } from '../action.ts'
import { type Caller, onBehalfOf, type Tx } from '../context.ts'
import { badRequest, notPermitted } from '../errors.ts'
import { bool, described, ids, text } from '../fields.ts'
import { sendToTopic } from '../messages/send/insert.ts'
import { isGuest } from '../roles.ts'
import { groupSettingValue } from '../settings/group-setting-value.ts'
import { settingsOf } from '../settings/organization.ts'
import { type AccessedStream, findStreamByName } from '../streams/access.ts'
import { insertStream, retentionDays, streamDescription, streamName, toStoredRetention } from '../streams/create.ts'
import { makeDefaultStream } from '../streams/default-streams.ts'
import { addSubscribers } from '../streams/join-leave.ts'
import { checkStreamSetting, type StreamSettings, streamSetting, streamSettings } from '../streams/settings.ts'
import type { User } from '../user.ts'
import { findUserByEmail, findUsers } from '../users/access.ts'
import { systemBot } from '../users/system-bot.ts'

export const principals = v.union([ids, v.array(text)])

const params = v.object({
  subscriptions: described(
    v.array(v.object({ name: streamName, description: v.nullish(streamDescription), color: v.nullish(text) })),
    'Streams by name; one that does not exist is created.',
  ),
  principals: described(v.nullish(principals), 'Users by id or e-mail address; yourself unless given.'),
  authorization_errors_fatal: described(
    v.nullish(bool, true),
    'Whether one stream that may not be joined refuses all; otherwise the answer lists it under `unauthorized`.',
  ),
  announce: described(v.nullish(bool, false), 'Announce new streams in the stream for announcements.'),
  invite_only: described(v.nullish(bool, false), 'Whether new streams are private.'),
  is_web_public: described(v.nullish(bool, false), 'Whether people without an account can read it.'),
  is_default_stream: described(v.nullish(bool, false), 'Whether new users are subscribed to it.'),
  history_public_to_subscribers: described(
    v.nullish(bool),
    'Whether new subscribers see what was sent before they came; for private streams.',
  ),
  message_retention_days: described(
    v.nullish(retentionDays),
    'Days that messages are kept, or "realm_default", or "unlimited".',
  ),
  ...(Object.fromEntries(Object.keys(streamSettings).map((name) => [name, v.nullish(groupSettingValue)])) as Record<
    keyof typeof streamSettings,
    v.NullishSchema<typeof groupSettingValue, undefined>
  >),
})
type Params = v.InferOutput<typeof params>

/** Names of streams by each user's e-mail. */
const streamsByEmail = v.record(v.string(), v.array(v.string()))

export const subscribedResult = v.strictObject({
  subscribed: streamsByEmail,
  already_subscribed: streamsByEmail,
  /** Streams that the caller may not join; only when `authorization_errors_fatal` is false. */
  unauthorized: v.exactOptional(v.array(v.string())),
})

/** POST /users/me/subscriptions: subscribes the caller, or others; a name that is new makes a new stream. */
export const subscribe = action(
  {
    name: 'subscribe',
    summary: 'Subscribe to streams',
    params,
    result: subscribedResult,
    idempotencyKey: true,
    errors: ['STREAM_DOES_NOT_EXIST'],
  },
  (caller, requested) =>
    caller.write(async (tx) => {
      const users = await resolvePrincipals(tx, requested.principals)
      const subscribed: Record<string, string[]> = {}
      const already_subscribed: Record<string, string[]> = {}
      const unauthorized: string[] = []
      const created: AccessedStream[] = []
      for (const { name, description } of requested.subscriptions) {
        const existing = await findStreamByName(tx, name)
        const joined = existing && !(await mayJoin(tx, existing, users)) ? undefined : existing
        const stream = existing ? joined : await createStream(tx, name, description ?? '', requested)
        if (!stream) {
          if (requested.authorization_errors_fatal) throw notPermitted(`Unable to access stream (${name}).`)
          unauthorized.push(name)
          continue
        }
        if (!existing) created.push(stream)
        const added = new Set(await addSubscribers(tx, stream, users))
        for (const user of users) {
          const list = added.has(user.id) ? subscribed : already_subscribed
          list[user.email] = [...(list[user.email] ?? []), stream.name]
        }
      }
      if (requested.announce) await announceNew(tx, created)
      return { subscribed, already_subscribed, ...(!requested.authorization_errors_fatal && { unauthorized }) }
    }),
)

/** The accounts that `principals` names by id or e-mail, the caller when it names none. */
export async function resolvePrincipals(caller: Caller, requested: Params['principals']): Promise<User[]> {
  if (!requested || requested.length === 0) return [caller.user]
  const users: User[] = []
  const byId = await findUsers(
    caller,
    requested.filter((who) => typeof who === 'number'),
  )
  for (const who of new Set<number | string>(requested)) {
    const user = typeof who === 'number' ? byId.get(who) : await findUserByEmail(caller.db, who)
    if (!user?.is_active) throw badRequest('No such user')
    users.push(user)
  }
  return [...new Map(users.map((user) => [user.id, user])).values()]
}

/** Public streams are open to all but guests; into a private one somebody inside must bring you. */
async function mayJoin(tx: Tx, stream: AccessedStream, users: readonly User[]): Promise<boolean> {
  const onlySelf = users.every((user) => user.id === tx.user.id)
  if (onlySelf && stream.subscribed) return true
  if (isGuest(tx.user)) return false
  if (await allows(tx, streamSetting(stream.settings, 'can_administer_channel_group'))) return true
  if (onlySelf) return !stream.invite_only || allows(tx, streamSetting(stream.settings, 'can_subscribe_group'))
  if (await allows(tx, streamSetting(stream.settings, 'can_add_subscribers_group'))) return true
  return (!stream.invite_only || stream.subscribed) && can(tx, 'can_add_subscribers_group')
}

/** undefined where a private stream that the caller may not know of has the name. */
async function createStream(
  tx: Tx,
  name: string,
  description: string,
  requested: Params,
): Promise<AccessedStream | undefined> {
  const permission = requested.is_web_public
    ? 'can_create_web_public_channel_group'
    : requested.invite_only
      ? 'can_create_private_channel_group'
      : 'can_create_public_channel_group'
  if (isGuest(tx.user) || !(await can(tx, permission))) throw notPermitted()
  if (requested.invite_only && requested.is_web_public) throw badRequest('Invalid parameters')
  if (requested.is_default_stream) requireRole(tx, 'administrator')
  if (requested.is_default_stream && requested.invite_only) throw badRequest('Private streams cannot be made default.')
  const taken = await tx.db
    .selectFrom('stream')
    .select('id')
    .where('name_key', '=', fold(name))
    .where('is_archived', '=', isUnset)
    .executeTakeFirst()
  if (taken) return undefined
  const days = requested.message_retention_days
  const settings: StreamSettings = {}
  for (const key of Object.keys(streamSettings) as (keyof typeof streamSettings)[]) {
    const value = requested[key]
    if (value != null) settings[key] = await checkStreamSetting(tx, key, value)
  }
  const stream = await insertStream(tx, {
    name,
    description,
    invite_only: requested.invite_only ?? false,
    is_web_public: requested.is_web_public ?? false,
    ...(typeof requested.history_public_to_subscribers === 'boolean' && {
      history_public_to_subscribers: requested.history_public_to_subscribers,
    }),
    message_retention_days: days == null ? null : toStoredRetention(days),
    settings,
  })
  if (requested.is_default_stream) await makeDefaultStream(tx, stream)
  return { ...stream, subscribed: false }
}

async function announceNew(tx: Tx, created: readonly AccessedStream[]): Promise<void> {
  const { new_stream_announcements_stream_id } = await settingsOf(tx)
  const open = created.filter((stream) => !stream.invite_only)
  if (new_stream_announcements_stream_id < 0 || open.length === 0) return
  const names = open.map((stream) => `#**${stream.name}**`).join(', ')
  const content = `@_**${tx.user.full_name}|${tx.user.id}** created ${open.length === 1 ? 'a new stream' : 'new streams'} ${names}.`
  await sendToTopic(onBehalfOf(tx, await systemBot.get(tx)), new_stream_announcements_stream_id, 'new streams', content)
}
