import * as v from 'valibot'
import { addressKey } from '../../../storage/index.ts'
import type { Context } from '../../kernel/context.ts'
import { email as emailShape } from '../create.ts'
import { signOnFailed } from '../providers/failed.ts'
import type { Person } from '../providers/protocol.ts'
import { PROXY, type ProxySignOn } from '../providers/proxy.ts'
import { signOnOf } from '../providers/sign-on.ts'
import { orDenied } from './denied.ts'
import { type Browser, enter, type Next } from './sign-in.ts'
import type { Goal } from './steps.ts'

/** What a trusted proxy says about the person of a request. */
export interface NamedByProxy {
  user: string | undefined
  groups: string | undefined
}

/**
 * Signs a browser in as the person whom the proxy names. Only the caller knows whether a proxy wrote the headers.
 *
 * @throws SIGN_ON_FAILED with the reason, and REALM_DEACTIVATED
 */
export async function signInByProxy(
  visitor: Context,
  { user, groups }: NamedByProxy,
  goal: Goal,
  browser: Browser,
): Promise<Next> {
  const proxy = signOnOf(visitor.chat)?.proxy
  if (!proxy) throw signOnFailed('unknown_provider')
  const person = user === undefined ? undefined : personOfProxy(proxy, user, groups)
  if (!person) throw signOnFailed('not_named')
  const entering = { rules: proxy.rules, person, by: 'sign-on with the proxy', goal, browser }
  return orDenied(visitor, person, () => visitor.write((tx) => enter(tx, entering)))
}

const NAME = /^[A-Za-z0-9](?:[A-Za-z0-9._+-]{0,62}[A-Za-z0-9])?$/

/**
 * Returns who the proxy names; undefined if it names nobody, or if the header was sent twice. Its word counts: the address is
 * verified by definition.
 */
function personOfProxy({ domain }: ProxySignOn, user: string, groups: string | undefined): Person | undefined {
  const name = user.trim()
  const email = name.includes('@') || domain === undefined || !NAME.test(name) ? name : `${name}@${domain}`
  if (!v.is(emailShape, email)) return undefined
  return {
    issuer: PROXY,
    subject: addressKey(email),
    email,
    is_verified: true,
    name: undefined,
    // Proxies separate groups by commas or bars.
    groups: groups
      ?.split(/[,|]/)
      .map((group) => group.trim())
      .filter((group) => group !== ''),
    roles: undefined,
    required: [],
  }
}
