import { observersOf } from '../access/user-visibility.ts'
import { removeCommandsOf } from '../bots/profiles/commands.ts'
import { listenFromNow, outgoingBots } from '../bots/profiles/outgoing-bots.ts'
import { everyone } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { dropQueuesOf } from '../events/log/end-queues.ts'
import { emitSystemGroupChanges } from '../groups/system-groups.ts'
import type { Caller, Tx } from '../kernel/context.ts'
import { badRequest, ChatError } from '../kernel/errors.ts'
import { isOwner, roles } from '../kernel/roles.ts'
import { type User, userColumns } from '../kernel/user.ts'
import { endMailAddresses } from '../mail/reply-address.ts'
import { dropHeld } from '../review/held-rows.ts'
import { type Stream, viewersOf } from '../streams/access.ts'
import { countSubscribers } from '../streams/subscriber-count.ts'
import { changeUser } from '../users/people.ts'
import { endPush } from './devices.ts'
import { endKeys, endPasswordLinks, endPasswordLinksBy } from './keys.ts'
import { notifiedFrom } from './notified-from.ts'

/** Deactivates a user and their bots. The caller has checked permissions. */
export async function deactivate(tx: Tx, user: User): Promise<void> {
  if (!user.is_active) throw badRequest('User already deactivated')
  if (user.bot_type === null) await requireOthers(tx, user)
  for (const bot of await botsOf(tx, user)) if (bot.is_active) await setActive(tx, bot, false)
  await setActive(tx, user, false)
}

export const botsOf = ({ db }: Pick<Caller, 'db'>, { id }: User): Promise<User[]> =>
  db
    .selectFrom('user')
    .select(userColumns)
    .where('bot_owner_id', '=', id)
    .where('is_system_bot', '=', 0)
    .orderBy('id')
    .execute()

async function requireOthers(tx: Tx, { id: user_id, role }: User): Promise<void> {
  const others = await tx.db
    .selectFrom('user')
    .select('role')
    .where('is_active', '=', 1)
    .where('bot_type', 'is', null)
    .where('id', '!=', user_id)
    .execute()
  const last = (is_last_owner: boolean, entity: string) =>
    new ChatError('CANNOT_DEACTIVATE_LAST_USER', `Cannot deactivate the only ${entity}.`, { is_last_owner, entity })
  if (others.length === 0) throw last(false, 'user')
  if (role === roles.owner && !others.some(isOwner)) throw last(true, 'organization owner')
}

const OUTGOING_WEBHOOK = 3

export async function setActive(tx: Tx, user: User, active: boolean): Promise<void> {
  const user_id = user.id
  await endCredentials(tx, user_id, active)
  await changeUser(tx, user_id, { is_active: active ? 1 : 0 })
  if (!active) {
    await dropQueuesOf(tx, user_id)
    await removeCommandsOf(tx, user_id)
    await dropHeld(tx, { user_id })
  }
  outgoingBots.invalidate(tx)
  if (active && user.bot_type === OUTGOING_WEBHOOK) await listenFromNow(tx, user_id)
  await emit(
    tx,
    { type: 'realm_user', op: 'update', person: { user_id, is_active: active } },
    await observersOf(tx, user),
  )
  await emitSystemGroupChanges(tx, user_id, active ? undefined : user, active ? user : undefined)
  await emitMemberships(tx, user_id, active)
}

/**
 * Ends what signs in to an account: a stolen laptop's session must not return with it. Keys of a deactivated account
 * are rejected as USER_DEACTIVATED, which apps show, so their rows stay until the reactivation. That also ends keys of
 * accounts that earlier versions deactivated.
 */
async function endCredentials(tx: Tx, user_id: number, active: boolean): Promise<void> {
  if (active) {
    await endKeys(tx, user_id)
    await endPasswordLinks(tx, user_id)
    await tx.db.updateTable('identity').set({ gone_at: null }).where('user_id', '=', user_id).execute()
  } else {
    await endPasswordLinksBy(tx, user_id)
    await endPush(tx, user_id)
    await endMailAddresses(tx, user_id)
    await tx.db.deleteFrom('web_push_subscription').where('user_id', '=', user_id).execute()
    notifiedFrom.invalidate(tx)
  }
}

/**
 * Emits changed lists of members and subscribers, which name only active users. The memberships stay for a
 * reactivation.
 */
async function emitMemberships(tx: Tx, user_id: number, active: boolean): Promise<void> {
  const groups = await tx.db
    .selectFrom('user_group_member')
    .select('group_id')
    .where('user_id', '=', user_id)
    .orderBy('group_id')
    .execute()
  for (const { group_id } of groups) {
    const op = active ? 'add_members' : 'remove_members'
    await emit(tx, { type: 'user_group', op, group_id, user_ids: [user_id] }, everyone)
  }
  const streams: Stream[] = await tx.db
    .selectFrom('subscription')
    .innerJoin('stream', 'stream.id', 'subscription.stream_id')
    .selectAll('stream')
    .where('subscription.user_id', '=', user_id)
    .where('subscription.is_active', '=', 1)
    .orderBy('stream.id')
    .execute()
  const by = active ? 1 : -1
  await countSubscribers(tx, streams, new Map(streams.map((stream) => [stream.id, by])))
  for (const stream of streams) {
    const op = active ? 'peer_add' : 'peer_remove'
    const event = { type: 'subscription', op, stream_ids: [stream.id], user_ids: [user_id] } as const
    await emit(tx, event, { ...viewersOf(stream), except: [user_id] })
  }
}
