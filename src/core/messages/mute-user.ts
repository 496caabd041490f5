import * as v from 'valibot'
import { flag, isSet, isUnset } from '../../storage/index.ts'
import { only } from '../events/log/audience.ts'
import { emit } from '../events/log/emit.ts'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import { callerOf, type Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { bool, described, id } from '../kernel/fields.ts'
import { whileMore } from '../kernel/slices.ts'
import { readFromUser } from '../read-state/read-slice.ts'
import { empty } from '../shapes/values.ts'
import { accessUser } from '../users/access.ts'
import { blockersOf } from '../users/blocks.ts'
import { mutedUsersOf, usersMuting } from '../users/muted-users.ts'

const muted_user_id = described(id, 'ID of the user to mute.')

/**
 * POST /users/me/muted_users/{muted_user_id}: mutes a user. Their messages, including future ones, count as read. With
 * `block`, the two can't write direct messages to each other; for a muted user, it only changes that.
 *
 * @throws BAD_REQUEST "No such user", "Cannot mute self", "User already muted"; also for too many muted users
 */
export const muteUser = action(
  {
    name: 'muteUser',
    summary: 'Mute a user',
    params: v.object({
      muted_user_id,
      block: described(v.nullish(bool), 'Whether to block the user, too: the two can no longer write to each other.'),
    }),
    result: empty,
    idempotencyKey: 'one write',
  },
  async (caller, { muted_user_id, block }) => {
    const result = await caller.write(async (tx) => {
      if (muted_user_id === tx.user.id) throw badRequest('Cannot mute self')
      await accessUser(tx, muted_user_id)
      const { mutedUsersPerUser: most } = tx.chat.options.limits
      const added = await tx.db
        .insertInto('muted_user')
        .values({
          user_id: tx.user.id,
          muted_user_id,
          muted_at: seconds(tx.chat.clock),
          is_blocked: flag(block === true),
        })
        .onConflict((oc) => oc.doNothing())
        .returning('muted_user_id')
        .executeTakeFirst()
      if (!added && !(await changeBlock(tx, muted_user_id, block ?? undefined))) throw badRequest('User already muted')
      if ((await mutedUsersOf(tx)).length > most) throw badRequest(`Too many muted users; at most ${most} per user`)
      usersMuting.invalidate(tx, muted_user_id)
      blockersOf.invalidate(tx, muted_user_id)
      return announce(tx)
    })
    // Without the request's Idempotency-Key, which belongs to the write that mutes.
    await whileMore(callerOf(caller.chat, caller.user, { client: caller.client }), (tx) =>
      readFromUser(tx, muted_user_id),
    )
    return result
  },
)

/**
 * DELETE /users/me/muted_users/{muted_user_id}: unmutes and unblocks a user.
 *
 * @throws BAD_REQUEST "No such user", "User is not muted"
 */
export const unmuteUser = action(
  { name: 'unmuteUser', summary: 'Unmute a user', params: v.object({ muted_user_id }), result: empty },
  (caller, { muted_user_id }) =>
    caller.write(async (tx) => {
      await accessUser(tx, muted_user_id)
      const removed = await tx.db
        .deleteFrom('muted_user')
        .where('user_id', '=', tx.user.id)
        .where('muted_user_id', '=', muted_user_id)
        .returning('muted_user_id')
        .executeTakeFirst()
      if (!removed) throw badRequest('User is not muted')
      usersMuting.invalidate(tx, muted_user_id)
      blockersOf.invalidate(tx, muted_user_id)
      return announce(tx)
    }),
)

/** Blocks or unblocks a muted user. Returns whether that was asked for, and changed something. */
async function changeBlock({ db, user }: Tx, muted_user_id: number, block: boolean | undefined): Promise<boolean> {
  if (block === undefined) return false
  const changed = await db
    .updateTable('muted_user')
    .set({ is_blocked: flag(block) })
    .where('user_id', '=', user.id)
    .where('muted_user_id', '=', muted_user_id)
    .where('is_blocked', '=', block ? isUnset : isSet)
    .returning('user_id')
    .executeTakeFirst()
  return changed !== undefined
}

async function announce(tx: Tx) {
  await emit(tx, { type: 'muted_users', muted_users: await mutedUsersOf(tx) }, only(tx.user.id))
  return {}
}
