import * as v from 'valibot'
import { can } from '../../access/permissions.ts'
import { accessOrdinaryGroup } from '../../groups/access.ts'
import { addMembers } from '../../groups/members.ts'
import { publicAction } from '../../kernel/action.ts'
import { recordAct } from '../../kernel/audit.ts'
import { check } from '../../kernel/check.ts'
import { type Context, onBehalfOf, requireOpenOrganization, type SystemTx, type Tx } from '../../kernel/context.ts'
import { badRequest, invalidField, isChatError } from '../../kernel/errors.ts'
import { described, text } from '../../kernel/fields.ts'
import { findUser, type User } from '../../kernel/user.ts'
import { silentMention } from '../../messages/notices/words.ts'
import { sendDirect } from '../../messages/send/post-message.ts'
import { nameProblem } from '../../review/filters/require.ts'
import { settingsOf } from '../../settings/organization.ts'
import { id, integer, unixTime } from '../../shapes/values.ts'
import { canReadStream, findStream } from '../../streams/access.ts'
import { addSubscribers } from '../../streams/join.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { emailProblem } from '../allowed-addresses.ts'
import { addUser, email, fullName, password } from '../create.ts'
import { issueKey } from '../keys.ts'
import { hashPassword } from '../passwords.ts'
import { requireUnpredictable } from '../predictable-password.ts'
import { noteAccepted, requireTermsAccepted, termsOf, termsShape } from '../terms.ts'
import { sayWelcomeText } from '../welcome.ts'
import { emailWelcome } from '../welcome-email.ts'
import { requireRoleToGive } from './params.ts'
import { emitInvitesChanged, findByToken, type Invitation } from './stored.ts'

const token = described(text, 'The token of the link.')
const errors = ['BAD_INVITATION', 'REALM_DEACTIVATED', 'TERMS_NOT_ACCEPTED'] as const

/**
 * GET /invitation: describes an invitation. It needs no sign-in because the token is the proof.
 *
 * @throws BAD_INVITATION if it was used, was revoked, has expired or never existed
 * @throws REALM_DEACTIVATED
 * @example
 * const { organization } = await getInvitation(contextOf(chat), { token: 'from the link' })
 */
export const getInvitation = publicAction(
  {
    name: 'getInvitation',
    summary: 'Check an invitation',
    params: v.object({ token }),
    result: v.strictObject({
      organization: v.string(),
      /** null if anyone with the link may join. */
      email: v.nullable(v.string()),
      invited_as: integer,
      expiry_date: v.nullable(unixTime),
      /** What people accept when they join; null if there is nothing. */
      terms: v.nullable(termsShape),
    }),
    errors: ['BAD_INVITATION', 'REALM_DEACTIVATED'],
  },
  async (visitor, params) => {
    await requireOpenOrganization(visitor)
    const invitation = await findByToken(visitor, params.token)
    const { name } = await settingsOf(visitor)
    const { email, role, expires_at } = invitation
    return { organization: name, email, invited_as: role, expiry_date: expires_at, terms: await termsOf(visitor) }
  },
)

const joining = v.object({
  token,
  email: described(v.nullish(email), "Email address, if the invitation doesn't name one."),
  full_name: described(fullName, 'Full name.'),
  password: described(password, 'Password for the new account.'),
  terms_version: described(
    v.nullish(integer),
    'The version of the terms that the person has accepted, if there are any.',
  ),
})

/**
 * POST /invitation: creates the account of an invitation and returns an API key. This uses up an invitation for one
 * person.
 *
 * @throws BAD_INVITATION if it was used, was revoked, has expired or never existed
 * @throws TERMS_NOT_ACCEPTED unless `terms_version` is the current version of the terms, if there are any
 * @throws BAD_REQUEST if the address is taken or may not have an account here, or a name or password is invalid
 * @throws REALM_DEACTIVATED
 * @example
 * const { api_key } = await acceptInvitation(contextOf(chat), {
 *   token: 'from the link', email: 'ann@example.com', full_name: 'Ann', password: 'correct horse',
 * })
 */
export const acceptInvitation = publicAction(
  {
    name: 'acceptInvitation',
    summary: 'Join with an invitation',
    params: joining,
    result: v.strictObject({ user_id: id, email: v.string(), api_key: v.string() }),
    secret: true,
    errors,
  },
  (visitor, params) =>
    join(visitor, params, async (start, { id, email }) => {
      return { user_id: id, email, api_key: await issueKey(start, id) }
    }),
)

/**
 * Creates the account without an API key, for the page whose reader signs in with the password. Throws like
 * `acceptInvitation`.
 */
export const joinByPage = (visitor: Context, fields: v.InferInput<typeof joining>): Promise<User> =>
  join(visitor, check(joining, fields), async (_, user) => user)

async function join<T>(
  visitor: Context,
  params: v.InferOutput<typeof joining>,
  answer: (start: SystemTx, user: User) => Promise<T>,
): Promise<T> {
  // Checked before hashing the password, so that strangers can't make the server hash.
  await findByToken(visitor, params.token)
  await requireTermsAccepted(visitor, params.terms_version)
  const password_hash = await hashPassword(params.password, visitor.chat.options.passwordCost)
  return visitor.write(async (start) => {
    await requireOpenOrganization(start)
    // Checked again: the second of two simultaneous uses must fail.
    const invitation = await findByToken(start, params.token)
    const inviter = await requireInviter(start, invitation)
    const address = invitation.email ?? params.email
    if (!address) throw badRequest("Missing 'email' argument")
    const problem = await emailProblem(start, address)
    if (problem !== undefined) throw badRequest(problem)
    await requireTermsAccepted(start, params.terms_version)
    await requireUnpredictable(start, { ...params, email: address }, { password: params.password })
    const rejected = await nameProblem(start, params.full_name)
    if (rejected !== undefined) throw invalidField('full_name', rejected)
    const server = await asSystemBot(start)
    const user = await addUser(server, {
      email: address,
      full_name: params.full_name,
      role: invitation.role,
      password_hash,
      is_verified: invitation.emailed,
      defaults: invitation.include_defaults === 1,
    })
    await noteAccepted(start, user.id)
    // Otherwise anybody with a link could have emails sent to strangers.
    if (invitation.emailed) await emailWelcome(start, user)
    await giveStreams(server, invitation, inviter, user)
    await giveGroups(start, invitation, inviter, user)
    await sayWelcomeText(start, user, invitation.welcome_message)
    await useUp(server, invitation)
    await recordAct(start, {
      action: 'acceptInvitation',
      subject_kind: 'user',
      subject_id: user.id,
      actor_id: user.id,
      after: {
        full_name: user.full_name,
        delivery_email: user.delivery_email,
        role: user.role,
        invitation_id: invitation.id,
        inviter_id: invitation.inviter_id,
      },
    })
    if (invitation.notify_referrer) {
      const content = `${silentMention(user)} accepted your invitation to join this organization!`
      await sendDirect(server, [inviter], content)
    }
    return answer(start, user)
  })
}

/** Throws unless the inviter may still invite. An invitation grants what its inviter may grant when it is used. */
async function requireInviter(tx: SystemTx, invitation: Invitation): Promise<User> {
  const inviter = await findUser(tx.db, invitation.inviter_id)
  if (inviter?.is_system_bot) {
    // A sign-up, which began before the organization required invitations.
    if ((await settingsOf(tx)).invite_required) throw badRequest('This organization requires an invitation to join.')
    return inviter
  }
  const permission = invitation.is_multiuse ? 'create_multiuse_invite_group' : 'can_invite_users_group'
  if (inviter?.is_active && (await can(onBehalfOf(tx, inviter), permission)) && mayGive(inviter, invitation.role)) {
    return inviter
  }
  throw badRequest("This invitation is no longer valid because its sender can't invite people. Ask for a new one")
}

function mayGive(user: User, role: number): boolean {
  try {
    requireRoleToGive({ user }, role)
    return true
  } catch (error) {
    if (isChatError(error)) return false
    throw error
  }
}

async function giveStreams(tx: Tx, { stream_ids }: Invitation, inviter: User, user: User): Promise<void> {
  const by = onBehalfOf(tx, inviter)
  const streams = []
  for (const id of JSON.parse(stream_ids) as number[]) {
    const stream = await findStream(by, id)
    // The stream may have been archived, or the inviter may have lost access.
    if (stream && canReadStream(stream, inviter)) streams.push(stream)
  }
  if (streams.length > 0) await addSubscribers(onBehalfOf(tx, user), streams, [user])
}

async function giveGroups(tx: SystemTx, { group_ids }: Invitation, inviter: User, user: User): Promise<void> {
  const by = onBehalfOf(tx, inviter)
  for (const user_group_id of JSON.parse(group_ids) as number[]) {
    try {
      await addMembers(by, await accessOrdinaryGroup(by, user_group_id), [user.id])
    } catch (error) {
      // The group may have been deactivated, or the inviter may no longer add members to it.
      if (isChatError(error)) continue
      throw error
    }
  }
}

async function useUp(tx: Tx, { id, is_multiuse, inviter_id }: Invitation): Promise<void> {
  if (is_multiuse) return
  await tx.db.deleteFrom('invitation').where('id', '=', id).execute()
  await emitInvitesChanged(tx, inviter_id)
}
