import { acceptInvitation, getInvitation } from '../../core/accounts/invitations/join.ts'
import { createInviteLink } from '../../core/accounts/invitations/links.ts'
import { listInvites } from '../../core/accounts/invitations/list.ts'
import { resendInvite, revokeInvite, revokeInviteLink } from '../../core/accounts/invitations/revoke.ts'
import { sendInvites } from '../../core/accounts/invitations/send.ts'
import type { Routes } from '../route-types.ts'

/** Invitations: made by users, accepted by people without an account. */
export const invitationRoutes: Routes = {
  '/invites': { GET: listInvites, POST: sendInvites },
  '/invites/:invite_id(\\d+)': { DELETE: revokeInvite },
  '/invites/:invite_id(\\d+)/resend': { POST: resendInvite },
  '/invites/multiuse': { POST: createInviteLink },
  '/invites/multiuse/:invite_id(\\d+)': { DELETE: revokeInviteLink },
  '/invitation': { GET: getInvitation, POST: acceptInvitation },
}
