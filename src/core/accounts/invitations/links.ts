import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { described, ids } from '../../kernel/fields.ts'
import { invitationParams, requireInviting, STREAMS_SENTENCE, storeInvitation } from './params.ts'
import { emitInvitesChanged, linkOf } from './stored.ts'

/**
 * POST /invites/multiuse: creates a link that anyone can use to join, any number of times.
 *
 * @throws UNAUTHORIZED_PRINCIPAL without the permission, or for a role that the caller may not grant
 * @throws BAD_REQUEST for unknown streams and groups, and for ones the caller may not add people to
 * @example
 * const { invite_link } = await createInviteLink(caller, { invite_expires_in_minutes: 60 })
 */
export const createInviteLink = action(
  {
    name: 'createInviteLink',
    summary: 'Create a reusable invitation link',
    audit: {
      subject: 'invitation',
      details: ({ invite_as, stream_ids, group_ids }) => ({ is_multiuse: 1, invite_as, stream_ids, group_ids }),
    },
    params: v.object({ stream_ids: described(v.nullish(ids, []), STREAMS_SENTENCE), ...invitationParams }),
    result: v.strictObject({ invite_link: v.string() }),
    secret: true,
    errors: ['UNAUTHORIZED_PRINCIPAL'],
  },
  (caller, { stream_ids, ...requested }) =>
    caller.write(async (tx) => {
      const all = { ...requested, stream_ids }
      await requireInviting(tx, 'create_multiuse_invite_group', all)
      const invitation = await storeInvitation(tx, all, { notify_referrer: false })
      await emitInvitesChanged(tx, tx.user.id)
      return { invite_link: linkOf(tx, invitation) }
    }),
)
