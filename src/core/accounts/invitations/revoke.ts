import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { randomText } from '../../kernel/base/random.ts'
import type { Tx } from '../../kernel/context.ts'
import { described, id } from '../../kernel/fields.ts'
import { sendsMail } from '../../mail/mail-service.ts'
import { empty } from '../../shapes/values.ts'
import { requireRoleToGive } from './params.ts'
import { accessInvitation, emitInvitesChanged, type Invitation, linkOf, mailInvitation } from './stored.ts'

const invite_id = described(id, 'ID of the invitation.')

/**
 * DELETE /invites/{invite_id}: revokes an invitation, so that its link stops working.
 *
 * @throws BAD_REQUEST "No such invitation"
 */
export const revokeInvite = action(
  {
    name: 'revokeInvite',
    audit: { subject: 'invitation', id: ({ invite_id }) => invite_id },
    summary: 'Revoke an invitation',
    params: v.object({ invite_id }),
    result: empty,
  },
  (caller, { invite_id }) =>
    caller.write(async (tx) => {
      await revoke(tx, await accessInvitation(tx, invite_id, false))
      return {}
    }),
)

/**
 * DELETE /invites/multiuse/{invite_id}: revokes a reusable invitation link.
 *
 * @throws BAD_REQUEST "No such invitation", "Invitation has already been revoked"
 */
export const revokeInviteLink = action(
  {
    name: 'revokeInviteLink',
    summary: 'Revoke a reusable invitation link',
    audit: { subject: 'invitation', id: ({ invite_id }) => invite_id },
    params: v.object({ invite_id }),
    result: empty,
  },
  (caller, { invite_id }) =>
    caller.write(async (tx) => {
      await revoke(tx, await accessInvitation(tx, invite_id, true))
      return {}
    }),
)

async function revoke(tx: Tx, { id, inviter_id, is_multiuse }: Invitation): Promise<void> {
  if (is_multiuse) await tx.db.updateTable('invitation').set({ revoked: 1 }).where('id', '=', id).execute()
  else await tx.db.deleteFrom('invitation').where('id', '=', id).execute()
  await emitInvitesChanged(tx, inviter_id)
}

/**
 * POST /invites/{invite_id}/resend: replaces an invitation's link with a new one that is valid for the same time. The
 * server emails it if it sends email, and the response contains it, too.
 *
 * @throws BAD_REQUEST "No such invitation"
 */
export const resendInvite = action(
  {
    name: 'resendInvite',
    summary: 'Send an invitation again',
    audit: { subject: 'invitation', id: ({ invite_id }) => invite_id, details: () => ({ link: 'shown again' }) },
    params: v.object({ invite_id }),
    result: v.strictObject({
      link_url: v.string(),
      /** Whether the server emails the link. */
      emailed: v.boolean(),
    }),
    secret: true,
  },
  (caller, { invite_id }) =>
    caller.write(async (tx) => {
      const invitation = await accessInvitation(tx, invite_id, false)
      requireRoleToGive(tx, invitation.role)
      const now = seconds(tx.chat.clock)
      const { expires_at, created_at } = invitation
      const renewed = await tx.db
        .updateTable('invitation')
        .set({
          nonce: randomText(tx.chat.random, 32),
          created_at: now,
          expires_at: expires_at === null ? null : now + (expires_at - created_at),
        })
        .where('id', '=', invite_id)
        .returningAll()
        .executeTakeFirstOrThrow()
      await mailInvitation(tx, renewed)
      await emitInvitesChanged(tx, invitation.inviter_id)
      return { link_url: linkOf(tx, renewed), emailed: await sendsMail(tx) }
    }),
)
