import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { none } from '../../kernel/fields.ts'
import { id, integer, unixTime } from '../../shapes/values.ts'
import { linkOf, openInvitations } from './stored.ts'

const invitationShape = v.strictObject({
  id,
  invited_by_user_id: id,
  invited: unixTime,
  /** null for one that does not end. */
  expiry_date: v.nullable(unixTime),
  invited_as: integer,
  /** Of a single invitation. */
  email: v.exactOptional(v.string()),
  notify_referrer_on_join: v.boolean(),
  is_multiuse: v.boolean(),
  /** Of a reusable one. The link of a single one was answered when it was made. */
  link_url: v.exactOptional(v.string()),
})

/**
 * GET /invites: invitations that can be used: the caller's, and for administrators everybody's.
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
        // A link gives what its inviter could: it is not for those who may do less.
        ...(invitation.is_multiuse === 1 &&
          invitation.role >= caller.user.role && { link_url: linkOf(caller, invitation) }),
      })),
    }
  },
)
