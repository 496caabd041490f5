import * as v from 'valibot'
import { addressKey, flag } from '../../../storage/index.ts'
import { can, requirePermission } from '../../access/permissions.ts'
import { accessOrdinaryGroup, requireGroupPermission } from '../../groups/access.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { uniqueSorted } from '../../kernel/base/lists.ts'
import { randomText } from '../../kernel/base/random.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest, mustBeAdministrator, mustBeOwner } from '../../kernel/errors.ts'
import { bool, described, ids, integer } from '../../kernel/fields.ts'
import { isAdministrator, isOwner, isRole, roles } from '../../kernel/roles.ts'
import { canReadStream, findStream } from '../../streams/access.ts'
import { defaultStreamIds } from '../../streams/default-streams.ts'
import { welcomeText } from '../welcome.ts'
import type { Invitation } from './stored.ts'

const DEFAULT_MINUTES = 14_400
const MAX_MINUTES = 100 * 365 * 24 * 60
const MAX_OPEN = 1000

/** Parameters that email invitations and reusable links share. */
export const invitationParams = {
  invite_expires_in_minutes: described(
    v.optional(
      v.nullable(
        v.pipe(integer, v.minValue(1, '{name} is not positive'), v.maxValue(MAX_MINUTES, '{name} is too large')),
      ),
      DEFAULT_MINUTES,
    ),
    'Minutes until it expires, or null if it never expires. Defaults to ten days.',
  ),
  invite_as: described(
    v.nullish(v.pipe(integer, v.check(isRole, 'Invalid {name}')), roles.member),
    '100 owner, 200 administrator, 300 moderator, 400 member, 600 guest.',
  ),
  group_ids: described(v.nullish(ids, []), 'IDs of user groups to add the new user to.'),
  welcome_message_custom_text: described(
    v.nullish(welcomeText),
    "Text that the Welcome Bot adds to its welcome. Defaults to the organization's text. Only administrators can set it.",
  ),
  include_realm_default_subscriptions: described(
    v.nullish(bool, false),
    'Whether to also subscribe them to the default channels.',
  ),
}
export const STREAMS_SENTENCE = 'IDs of channels to subscribe the new user to.'

interface Requested {
  invite_expires_in_minutes: number | null
  invite_as: number | null
  stream_ids: readonly number[]
  group_ids: readonly number[] | null
  include_realm_default_subscriptions: boolean | null
  welcome_message_custom_text?: string | null | undefined
}

/** Stores an invitation. Throws unless its sender may grant everything in it. */
export async function storeInvitation(
  tx: Tx,
  { invite_expires_in_minutes: minutes, invite_as, stream_ids, group_ids, ...requested }: Requested,
  more: { email?: string; notify_referrer: boolean },
): Promise<Invitation> {
  const role = invite_as ?? roles.member
  requireRoleToGive(tx, role)
  const now = seconds(tx.chat.clock)
  const { email } = more
  return tx.db
    .insertInto('invitation')
    .values({
      inviter_id: tx.user.id,
      email: email ?? null,
      email_key: email === undefined ? null : addressKey(email),
      nonce: randomText(tx.chat.random, 32),
      role,
      created_at: now,
      expires_at: minutes === null ? null : now + minutes * 60,
      notify_referrer: flag(more.notify_referrer),
      include_defaults: flag(requested.include_realm_default_subscriptions === true),
      is_multiuse: flag(email === undefined),
      revoked: 0,
      stream_ids: JSON.stringify(uniqueSorted(stream_ids)),
      group_ids: JSON.stringify(uniqueSorted(group_ids ?? [])),
      welcome_message: isAdministrator(tx.user) ? (requested.welcome_message_custom_text ?? null) : null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
}

/** Throws if the role is more powerful than the writer's own. */
export function requireRoleToGive({ user }: Pick<Tx, 'user'>, role: number): void {
  if (role === roles.owner && !isOwner(user)) throw mustBeOwner()
  if (role <= roles.moderator && !isAdministrator(user)) throw mustBeAdministrator()
}

/** Throws unless the writer may invite into these streams and groups. */
export async function requireInviting(
  tx: Tx,
  permission: 'can_invite_users_group' | 'create_multiuse_invite_group',
  { stream_ids, group_ids, invite_as }: Pick<Requested, 'stream_ids' | 'group_ids' | 'invite_as'>,
): Promise<void> {
  await requirePermission(tx, permission)
  requireRoleToGive(tx, invite_as ?? roles.member)
  const { count } = await tx.db
    .selectFrom('invitation')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('inviter_id', '=', tx.user.id)
    .where('revoked', '=', 0)
    .executeTakeFirstOrThrow()
  if (Number(count) >= MAX_OPEN) throw badRequest(`You can have at most ${MAX_OPEN} open invitations.`)
  await requireStreams(tx, stream_ids)
  for (const id of group_ids ?? []) {
    await requireGroupPermission(tx, await accessOrdinaryGroup(tx, id), 'can_add_members_group')
  }
}

async function requireStreams(tx: Tx, stream_ids: readonly number[]): Promise<void> {
  const defaults = new Set(await defaultStreamIds(tx))
  for (const id of stream_ids) {
    const stream = await findStream(tx, id)
    if (!stream || !canReadStream(stream, tx.user)) throw badRequest(`Invalid channel ID ${id}. No invites were sent.`)
  }
  // Default streams are always allowed.
  if (stream_ids.every((id) => defaults.has(id)) || (await can(tx, 'can_add_subscribers_group'))) return
  throw badRequest('You do not have permission to subscribe other users to channels.')
}
