import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { randomText } from '../kernel/base/random.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest, mustBeOwner } from '../kernel/errors.ts'
import { bool, described, id, none, text } from '../kernel/fields.ts'
import { isBot, isOwner } from '../kernel/roles.ts'
import type { User } from '../kernel/user.ts'
import { enqueueMail } from '../mail/outbox.ts'
import { empty } from '../shapes/values.ts'
import { accessUser } from '../users/access.ts'
import { copyShape, deleteMessagesOf, deleteProfile, erasing } from './erase.ts'
import { accessManagedUser } from './managed-user.ts'
import { botsOf, deactivate, setActive } from './set-active.ts'

/**
 * DELETE /users/{user_id}: deactivates a user, who can no longer sign in. Their messages stay unless `actions`
 * says otherwise. With `erase`, which also takes deactivated users, everything personal of them is deleted.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator, and for an owner's account and for `erase` unless
 * the caller is an owner
 * @throws CANNOT_DEACTIVATE_LAST_USER for the last user or owner
 * @throws BAD_REQUEST "No such user", "User already deactivated"
 * @example
 * await deactivateUser(admin, { user_id })
 */
export const deactivateUser = action(
  {
    name: 'deactivateUser',
    summary: 'Deactivate a user',
    audit: {
      subject: 'user',
      id: ({ user_id }) => user_id,
      // An erasure writes a row of its own, without what it erases.
      when: ({ actions }) => !actions?.erase,
      details: ({ actions }) => Object.fromEntries(Object.entries(actions ?? {}).filter(([, isDone]) => isDone)),
    },
    params: v.object({
      user_id: described(id, 'ID of the user.'),
      actions: described(
        v.nullish(v.object({ ...erasing, erase: v.nullish(bool) }), {}),
        "What to delete, also for the user's bots: an object of booleans. `erase` is for owners, and deletes everything personal.",
      ),
      deactivation_notification_comment: described(
        v.nullish(text),
        'If given, the user gets an email about it with this comment, which may be empty, if the server sends email.',
      ),
    }),
    result: v.object({
      copies: v.exactOptional(
        described(
          v.array(copyShape),
          'After `erase`: the newest 1,000 files that the server wrote, and that still have the data.',
        ),
      ),
    }),
    role: 'administrator',
    errors: ['CANNOT_DEACTIVATE_LAST_USER'],
  },
  async (caller, { user_id, actions, deactivation_notification_comment: comment }) => {
    if (actions?.erase) {
      if (!isOwner(caller.user)) throw mustBeOwner()
      // Loaded on demand, because erasing is rare.
      const { eraseAccount } = await import('./erase-account.ts')
      const { copies } = await eraseAccount(caller, user_id, actions)
      return { copies }
    }
    const ids = await caller.write(async (tx) => {
      const user = await accessManagedUser(tx, user_id)
      const bots = await botsOf(tx, user)
      await deactivate(tx, user)
      if (comment != null && !isBot(user)) await mailUser(tx, user, 'deactivated', { comment: shortened(comment) })
      const all = [...bots, user]
      if (actions?.delete_profile) for (const one of all) await deleteProfile(tx, one)
      return all.map(({ id }) => id)
    })
    for (const id of ids) await deleteMessagesOf(caller, id, actions ?? {})
    return {}
  },
)

/**
 * DELETE /users/me: deactivates the caller's account.
 *
 * @throws CANNOT_DEACTIVATE_LAST_USER for the last user or owner
 */
export const deactivateOwnUser = action(
  {
    name: 'deactivateOwnUser',
    summary: 'Deactivate your own account',
    audit: { subject: 'user', id: (_, { user }) => user.id },
    params: none,
    result: empty,
    errors: ['CANNOT_DEACTIVATE_LAST_USER'],
  },
  (caller) =>
    caller.write(async (tx) => {
      await deactivate(tx, await accessUser(tx, tx.user.id))
      return {}
    }),
)

/**
 * POST /users/{user_id}/reactivate: the user signs in again with their password. Earlier sessions, keys and links stay
 * revoked.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "No such user", "User already active"
 */
export const reactivateUser = action(
  {
    name: 'reactivateUser',
    summary: 'Reactivate a user',
    audit: { subject: 'user', id: ({ user_id }) => user_id },
    params: v.object({ user_id: described(id, 'ID of the user.') }),
    result: empty,
    idempotencyKey: 'one write',
    role: 'administrator',
  },
  (caller, { user_id }) =>
    caller.write(async (tx) => {
      const user = await accessManagedUser(tx, user_id)
      if (user.is_active) throw badRequest('User already active')
      await setActive(tx, user, true)
      if (!isBot(user)) await mailUser(tx, user, 'reactivated')
      return {}
    }),
)

const MAX_COMMENT = 2000
const shortened = (comment: string): string => [...comment].slice(0, MAX_COMMENT).join('')

/** Emails a user about their account. */
async function mailUser(
  tx: Tx,
  { id }: User,
  kind: 'deactivated' | 'reactivated',
  data: Readonly<Record<string, string>> = {},
): Promise<void> {
  const once = `${kind} ${id} ${randomText(tx.chat.random, 16)}`
  await enqueueMail(tx, { kind, once, user_id: id, data })
}
