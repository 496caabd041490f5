import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { none } from '../../kernel/fields.ts'
import { id, integer, unixTime } from '../../shapes/values.ts'
import { linkOf, openInvitations } from './stored.ts'

const invitationShape = v.strictObject({
  id,
  invited_by_user_id: id,
  invited: unixTime,
  /** null if it doesn't expire. */
  expiry_date: v.nullable(unixTime),
  invited_as: integer,
  /** Only for an invitation by email. */
  email: v.exactOptional(v.string()),
  notify_referrer_on_join: v.boolean(),
  is_multiuse: v.boolean(),
  /** Only for a reusable link. The link of an email invitation was returned when it was created. */
  link_url: v.exactOptional(v.string()),
})

/**
 * GET /invites: lists valid invitations: the caller's own, and all of them for administrators.
 *
 * @throws UNAUTHORIZED_PRINCIPAL for guests
 */
export const listInvites = action(
  {
    name: 'listInvites',
    summary: 'List invitations',
    params: none,
    result: v.strictObject({ invites: v.array(invitationShape) }),
    secret: true,
    role: 'member',
  },
  async (caller) => {
    const invitations = await openInvitations(caller)
    return {
      invites: invitations.map((invitation) => ({
        id: invitation.id,
        invited_by_user_id: invitation.inviter_id,
        invited: invitation.created_at,
        expiry_date: invitation.expires_at,
        invited_as: invitation.role,
        ...(invitation.email !== null && { email: invitation.email }),
        notify_referrer_on_join: invitation.notify_referrer === 1,
        is_multiuse: invitation.is_multiuse === 1,
        // A link grants what its inviter could grant, so users with fewer rights must not see it.
        ...(invitation.is_multiuse === 1 &&
          invitation.role >= caller.user.role && { link_url: linkOf(caller, invitation) }),
      })),
    }
  },
)
