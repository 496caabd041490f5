import * as v from 'valibot'
import { addressKey } from '../../../storage/index.ts'
import { publicAction } from '../../kernel/action.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { type Context, callerOf } from '../../kernel/context.ts'
import { accountDeactivated, badRequest, ChatError, isChatError } from '../../kernel/errors.ts'
import { described, text } from '../../kernel/fields.ts'
import { publicUrlOf } from '../../kernel/public-url.ts'
import { userShape } from '../../shapes/user.ts'
import { getUser } from '../../users/list.ts'
import { failedSignInsOf } from '../failed-sign-ins.ts'
import { recordSignIn } from '../fetch-api-key.ts'
import { issueKey } from '../keys.ts'
import { claimsOf, JWT, type JwtSignOn } from '../providers/jwt.ts'
import { signOnOf } from '../providers/sign-on.ts'
import { hasSecondFactor } from '../second-factor/factor.ts'
import { requireSecondFactor } from '../second-factor/required.ts'
import { requireTermsOfApps } from '../terms.ts'
import { orDenied } from './denied.ts'
import { spendOnce } from './steps.ts'
import { whoseAccount } from './whose-account.ts'

const optional = v.nullish(text)

/**
 * POST /jwt/fetch_api_key: exchanges a JSON web token for a key. The member `jwt` of the sign-on file has the key that
 * verifies tokens. Each token works once.
 *
 * @throws BAD_REQUEST if the server accepts no tokens, and for a token that is missing or invalid
 * @throws AUTHENTICATION_FAILED if nobody has the address in the token
 * @throws USER_DEACTIVATED
 */
export const fetchApiKeyByToken = publicAction(
  {
    name: 'fetchApiKeyByToken',
    summary: 'Get an API key with a JSON web token',
    params: v.object({
      token: described(optional, 'The token, with the address of the account as `email`.'),
      json_web_token: described(optional, 'Another name of `token`.'),
      include_profile: described(v.nullish(v.boolean()), 'Whether to return the user, too.'),
    }),
    result: v.strictObject({ api_key: v.string(), email: v.string(), user: v.exactOptional(userShape) }),
    secret: true,
    errors: ['AUTHENTICATION_FAILED', 'USER_DEACTIVATED'],
  },
  async (visitor, { token, json_web_token, include_profile }) => {
    const jwt = signOnOf(visitor.chat)?.jwt
    if (!jwt) throw badRequest('JWT authentication is not enabled for this organization')
    const given = token || json_web_token
    if (!given) throw badRequest('No JSON web token passed in request')
    const { user, api_key } = await keyForToken(visitor, jwt, given)
    const result = { api_key, email: user.delivery_email }
    if (!include_profile) return result
    const caller = callerOf(visitor.chat, user, { origin: visitor.origin })
    return { ...result, ...(await getUser(caller, { user_id: user.id, client_gravatar: false })) }
  },
)

async function keyForToken(visitor: Context, jwt: JwtSignOn, token: string) {
  const now = seconds(visitor.chat.clock)
  const valid = claimsOf(jwt, token, { now, audience: publicUrlOf(visitor.chat) })
  if (!valid) throw badRequest('Bad JSON web token')
  const { email } = valid.claims
  if (typeof email !== 'string' || email.trim() === '') throw badRequest('No email specified in JSON web token claims')
  const person = {
    issuer: JWT,
    subject: addressKey(email.trim()),
    email: email.trim(),
    is_verified: true,
    name: typeof valid.claims.name === 'string' ? valid.claims.name : undefined,
    groups: undefined,
    roles: undefined,
    required: [],
  }
  // A write of its own: a token that was shown is used up, also if nobody has its address.
  if (!(await visitor.write((tx) => spendOnce(tx, JWT, valid.id)))) throw badRequest('Bad JSON web token')
  return orDenied(visitor, person, () =>
    visitor.write(async (tx) => {
      const found = await whoseAccount(tx, jwt.rules, person)
      if ('link_to' in found) throw noAccount()
      const { account: user } = found
      if (jwt.rules.second_factor === 'ask' && (await hasSecondFactor(tx, user.id))) throw needsCode(user.id)
      if (jwt.rules.second_factor === 'ask') await requireSecondFactor(tx, user)
      await requireTermsOfApps(tx, user.id)
      await recordSignIn(tx, user, 'JSON web token')
      return { user, api_key: await issueKey(tx, user.id) }
    }),
  ).catch((error) => {
    if (error instanceof Error && 'deniedTo' in error)
      failedSignInsOf(visitor.chat).note(visitor, error.deniedTo as number, 'denied')
    if (!isChatError(error) || error.code !== 'SIGN_ON_FAILED') throw error
    throw error.data.reason === 'deactivated' ? accountDeactivated() : noAccount()
  })
}

/** A refusal that undoes the write. It is counted afterwards, because a write may run again. */
const needsCode = (deniedTo: number) =>
  Object.assign(
    new ChatError('AUTHENTICATION_FAILED', 'This account has a second factor. Sign in with its password and a code'),
    { deniedTo },
  )

const noAccount = () => new ChatError('AUTHENTICATION_FAILED', 'Your username or password is incorrect')
