import * as v from 'valibot'
import { addressKey } from '../../../storage/index.ts'
import { publicAction } from '../../kernel/action.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { randomText } from '../../kernel/base/random.ts'
import { type Context, requireOpenOrganization } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, none } from '../../kernel/fields.ts'
import { roles } from '../../kernel/roles.ts'
import { requireMail, sendsMail } from '../../mail/mail-service.ts'
import { enqueueMail } from '../../mail/outbox.ts'
import { settingsOf } from '../../settings/organization.ts'
import { empty } from '../../shapes/values.ts'
import { asSystemBot } from '../../users/system-bot.ts'
import { emailProblem } from '../allowed-addresses.ts'
import { email } from '../create.ts'
import { storeInvitation } from '../invitations/params.ts'
import { emitInvitesChanged, type Invitation, isOpen } from '../invitations/stored.ts'
import { passwordRule } from '../providers/sign-on.ts'
import { spendOnce } from '../sign-on/steps.ts'
import { challengeShape, createChallenge, isSolved, solutionShape } from './challenge.ts'

const DAY_MINUTES = 24 * 60
const ERRORS = ['MAIL_NOT_CONFIGURED', 'REALM_DEACTIVATED'] as const

/** Returns whether people can create accounts for themselves. */
export const signsUp = async (context: Context): Promise<boolean> =>
  (await sendsMail(context)) && !(await settingsOf(context)).invite_required

async function requireSignUp(visitor: Context): Promise<void> {
  await requireOpenOrganization(visitor)
  if ((await settingsOf(visitor)).invite_required) throw badRequest('This organization requires an invitation to join.')
  await requireMail(visitor)
}

/**
 * GET /sign_up/challenge: returns the work to do before `requestSignUp`. It is valid for five minutes.
 *
 * @throws MAIL_NOT_CONFIGURED if the server sends no email
 * @throws REALM_DEACTIVATED
 * @throws BAD_REQUEST if the organization requires invitations
 */
export const getSignUpChallenge = publicAction(
  {
    name: 'getSignUpChallenge',
    summary: 'Get the proof of work for a sign-up',
    params: none,
    result: challengeShape,
    errors: ERRORS,
  },
  async (visitor) => {
    await requireSignUp(visitor)
    return createChallenge(visitor)
  },
)

/**
 * POST /sign_up: emails a link that creates an account within a day. The response is the same if there is an account with
 * this address, whose owner gets another email. Accounts are looked up later, so the response time reveals nothing either.
 *
 * @throws MAIL_NOT_CONFIGURED if the server sends no email
 * @throws REALM_DEACTIVATED
 * @throws BAD_REQUEST if the organization requires invitations or doesn't allow the address's domain; also for a solution that
 * is wrong, old or used
 */
export const requestSignUp = publicAction(
  {
    name: 'requestSignUp',
    summary: 'Email a link that creates an account',
    params: v.object({
      email: described(email, 'Email address of the new account.'),
      challenge: described(
        solutionShape,
        'The challenge with its `number`: SHA-256 of `salt` followed by the number is `challenge`.',
      ),
    }),
    result: empty,
    limit: 'mail',
    errors: ERRORS,
  },
  async (visitor, { email: address, challenge }) => {
    await requireSignUp(visitor)
    const problem = await emailProblem(visitor, address)
    if (problem !== undefined) throw badRequest(problem)
    if (!(await passwordRule(visitor, address)).allowed)
      throw badRequest('People with this address sign in with an identity provider.')
    if (!isSolved(visitor, challenge)) throw notSolved()
    await visitor.write(async (tx) => {
      if (!(await spendOnce(tx, 'sign_up', challenge.signature))) throw notSolved()
      const once = `sign-up ${randomText(tx.chat.random, 16)}`
      await enqueueMail(tx, { kind: 'sign_up', once, address, lasts: DAY_MINUTES * 60 })
    })
    return {}
  },
)

const notSolved = () => badRequest('This request took too long. Try again.')

/**
 * Returns the invitation by the server for an address that signed up: the same one for each email within its day.
 * Undefined if the organization doesn't accept the address anymore.
 */
export const signUpInvitation = (context: Context, address: string): Promise<Invitation | undefined> =>
  context.write(async (tx) => {
    if (!(await signsUp(tx)) || (await emailProblem(tx, address)) !== undefined) return undefined
    const server = await asSystemBot(tx)
    const earlier = await tx.db
      .selectFrom('invitation')
      .selectAll()
      .where('inviter_id', '=', server.user.id)
      .where('email_key', '=', addressKey(address))
      .orderBy('id', 'desc')
      .executeTakeFirst()
    if (earlier && isOpen(tx, earlier)) return earlier
    await tx.db
      .deleteFrom('invitation')
      .where('inviter_id', '=', server.user.id)
      .where('expires_at', '<=', seconds(tx.chat.clock))
      .execute()
    const invitation = await storeInvitation(
      server,
      {
        invite_expires_in_minutes: DAY_MINUTES,
        invite_as: roles.member,
        stream_ids: [],
        group_ids: [],
        include_realm_default_subscriptions: true,
      },
      { email: address, notify_referrer: false },
    )
    await emitInvitesChanged(tx, server.user.id)
    return invitation
  })
