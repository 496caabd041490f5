import * as v from 'valibot'
import { addressKey } from '../../../storage/index.ts'
import { action } from '../../kernel/action.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest, ChatError } from '../../kernel/errors.ts'
import { bool, described, ids, text } from '../../kernel/fields.ts'
import { sendsMail } from '../../mail/mail-service.ts'
import { findUserByEmail } from '../../users/access.ts'
import { emailProblem } from '../allowed-addresses.ts'
import { email as emailSchema } from '../create.ts'
import { invitationParams, requireInviting, STREAMS_SENTENCE, storeInvitation } from './params.ts'
import { emitInvitesChanged, linkOf, mailInvitation } from './stored.ts'

const MAX_ADDRESSES = 100

/** An address that was not invited, the reason, and whether it belongs to a deactivated account. */
type Refusal = [email: string, why: string, deactivated: boolean]

/**
 * POST /invites: invites people by email address. The server emails them if it sends email. The response contains the
 * links, too, for the inviter to pass on. The inviter's earlier invitations to the same addresses end.
 *
 * @throws INVITATION_FAILED if some addresses were not invited; `sent_invitations` says whether others were
 * @throws UNAUTHORIZED_PRINCIPAL without the permission, or for a role that the caller may not grant
 * @throws BAD_REQUEST for unknown streams and groups, and for ones the caller may not add people to
 * @example
 * const { invitations } = await sendInvites(caller, { invitee_emails: 'ann@example.com', stream_ids: [stream_id] })
 */
export const sendInvites = action(
  {
    name: 'sendInvites',
    summary: 'Invite people by email address',
    audit: {
      subject: 'invitation',
      details: ({ invite_as, stream_ids, group_ids }, { invitations }) => ({
        emails: invitations.map(({ email }: { email: string }) => email),
        invite_as,
        stream_ids,
        group_ids,
      }),
    },
    params: v.object({
      invitee_emails: described(text, 'Email addresses, separated by commas or newlines.'),
      stream_ids: described(ids, STREAMS_SENTENCE),
      notify_referrer_on_join: described(v.nullish(bool, true), 'Whether to notify you when someone accepts.'),
      ...invitationParams,
    }),
    result: v.strictObject({
      invitations: v.array(v.strictObject({ email: v.string(), link_url: v.string() })),
      /** Whether the server emails the links. */
      emailed: v.boolean(),
    }),
    secret: true,
    errors: ['INVITATION_FAILED', 'UNAUTHORIZED_PRINCIPAL'],
  },
  async (caller, { invitee_emails, notify_referrer_on_join: notify_referrer, ...requested }) => {
    const addresses = [...new Set(invitee_emails.split(/[,\n]/).map(bare))].filter((address) => address !== '')
    if (addresses.length === 0) throw badRequest('You must specify at least one email address.')
    if (addresses.length > MAX_ADDRESSES) throw badRequest(`You can invite at most ${MAX_ADDRESSES} people at a time.`)
    const { refusals, invitations } = await caller.write(async (tx) => {
      await requireInviting(tx, 'can_invite_users_group', requested)
      const invalid = await invalidAmong(tx, addresses)
      if (invalid.length > 0) throw failed("Some emails did not validate, so we didn't send any invitations.", invalid)
      const refusals: Refusal[] = []
      const invitations: { email: string; link_url: string }[] = []
      for (const email of addresses) {
        const user = await findUserByEmail(tx.db, email)
        if (user) {
          refusals.push([
            email,
            user.is_active ? 'Already has an account.' : 'Account has been deactivated.',
            !user.is_active,
          ])
          continue
        }
        await endEarlier(tx, email)
        const invitation = await storeInvitation(tx, requested, { email, notify_referrer })
        await mailInvitation(tx, invitation)
        invitations.push({ email, link_url: linkOf(tx, invitation) })
      }
      if (invitations.length > 0) await emitInvitesChanged(tx, tx.user.id)
      return { refusals, invitations }
    })
    const emailed = await sendsMail(caller)
    if (refusals.length === 0) return { invitations, emailed }
    if (invitations.length === 0) throw failed("We weren't able to invite anyone.", refusals)
    throw failed(
      "Some of those addresses are already using this server, so we didn't send them an invitation. We did send invitations to everyone else!",
      refusals,
      { invitations, emailed },
    )
  },
)

/** `Ann <ann@example.com>` is an address, too. */
const bare = (given: string): string => (/<([^<>]+)>\s*$/.exec(given)?.[1] ?? given).trim()

async function invalidAmong(tx: Tx, addresses: readonly string[]): Promise<Refusal[]> {
  const refusals: Refusal[] = []
  for (const address of addresses) {
    const why = v.is(emailSchema, address) ? await emailProblem(tx, address) : 'Invalid address.'
    if (why !== undefined) refusals.push([address, why, false])
  }
  return refusals
}

async function endEarlier(tx: Tx, email: string): Promise<void> {
  await tx.db
    .deleteFrom('invitation')
    .where('inviter_id', '=', tx.user.id)
    .where('email_key', '=', addressKey(email))
    .execute()
}

/** People who were invited are in `sent`, with their links. */
const failed = (
  message: string,
  errors: readonly Refusal[],
  sent?: { invitations: readonly object[]; emailed: boolean },
): ChatError =>
  new ChatError('INVITATION_FAILED', message, {
    errors,
    sent_invitations: sent !== undefined,
    daily_limit_reached: false,
    license_limit_reached: false,
    ...sent,
  })
