import { createCipheriv } from 'node:crypto'
import { type Context, requireOpenOrganization, type SystemTx } from '../../kernel/context.ts'
import { accountDeactivated, ChatError } from '../../kernel/errors.ts'
import { publicUrlOf } from '../../kernel/public-url.ts'
import { findUser, type User } from '../../kernel/user.ts'
import { failedSignInsOf } from '../failed-sign-ins.ts'
import { provePassword, recordSignIn } from '../fetch-api-key.ts'
import { issueKey } from '../keys.ts'
import type { AccountRules } from '../providers/account-rules.ts'
import { providersOf } from '../providers/all-providers.ts'
import { logFailure, signOnFailed } from '../providers/failed.ts'
import { type Checks, type Person, ProviderUnreachable } from '../providers/protocol.ts'
import type { Provider } from '../providers/provider.ts'
import { PROXY } from '../providers/proxy.ts'
import { signOnOf } from '../providers/sign-on.ts'
import { hasSecondFactor, useCode } from '../second-factor/factor.ts'
import { needsSecondFactor, openSetUp } from '../second-factor/required.ts'
import { requireTermsOfApps } from '../terms.ts'
import { orDenied } from './denied.ts'
import { findStep, type Goal, newToken, openStep, providerSession, takeStep } from './steps.ts'
import { link, whoseAccount } from './whose-account.ts'

/** Path of the page that the provider sends the browser back to. */
export const CALLBACK_PATH = '/complete/oidc'

/** What the browser does next. */
export type Next =
  /** It is signed in. */
  | { kind: 'session'; api_key: string; next: string | undefined }
  /** It opens a page that continues. */
  | { kind: 'factor' | 'app' | 'link' | 'set_up'; token: string }
  /** Its user copies this text into the desktop app. */
  | { kind: 'desktop'; text: string }

/** A browser that signs in: the random value of its cookie, and what its session is called. */
export interface Browser {
  readonly id: string
  readonly name: string
}

/** Returns a provider by its name. Throws SIGN_ON_FAILED. */
async function providerNamed(context: Pick<Context, 'chat' | 'cache'>, name: string): Promise<Provider> {
  const provider = (await providersOf(context)).get(name)
  if (!provider) throw signOnFailed('unknown_provider')
  return provider
}

async function rulesNamed(context: Pick<Context, 'chat' | 'cache'>, name: string): Promise<AccountRules> {
  const rules = name === PROXY ? signOnOf(context.chat)?.proxy?.rules : undefined
  return rules ?? (await providerNamed(context, name)).config
}

/** Begins a sign-in, and returns the address at the provider. */
export async function beginSignOn(visitor: Context, name: string, goal: Goal, browser: string): Promise<string> {
  const { chat } = visitor
  const provider = await providerNamed(visitor, name)
  await requireOpenOrganization(visitor)
  const checks: Checks = {
    state: newToken(chat),
    nonce: newToken(chat),
    verifier: newToken(chat) + newToken(chat),
    redirect_uri: `${publicUrlOf(chat)}${CALLBACK_PATH}/${name}`,
  }
  const address = await provider.begin(checks).catch((error) => {
    logFailure(visitor, name, error)
    throw signOnFailed('provider_unreachable')
  })
  const open = (tx: SystemTx) =>
    openStep(tx, 'provider', { ...goal, provider: name, checks }, { browser }, checks.state)
  await visitor.write(open, { relaxed: true })
  return address.href
}

const TOO_MANY_GROUPS =
  'the provider has too many groups of a person to send them, so they stay unchanged: limit its groups claim to the groups that are assigned to the application'

/** What the provider added to the address that the browser came back to. */
export interface Returned {
  code?: string | undefined
  state?: string | undefined
  iss?: string | undefined
  error?: string | undefined
}

/**
 * Completes a sign-in with the provider's answer. The attempt is used up first, so neither the answer nor its state works
 * a second time, and its own provider is asked, whatever the address says.
 */
export async function completeSignOn(
  visitor: Context,
  name: string,
  returned: Returned,
  browser: Browser,
): Promise<Next> {
  const attempt = await visitor.write((tx) => takeStep(tx, 'provider', returned.state ?? '', browser.id))
  if (attempt?.data.provider !== name) throw signOnFailed('attempt_expired')
  const { checks, provider: _, ...goal } = attempt.data
  const provider = await providerNamed(visitor, name)
  if (returned.error !== undefined) {
    logFailure(visitor, name, `the provider answered ${returned.error}`)
    throw signOnFailed(returned.error === 'access_denied' ? 'denied' : 'rejected')
  }
  const url = new URL(checks.redirect_uri)
  for (const [key, value] of Object.entries(returned)) if (value !== undefined) url.searchParams.set(key, value)
  const person = await provider.finish(url, checks).catch((error) => {
    logFailure(visitor, name, error)
    throw signOnFailed(isUnreachable(error) ? 'provider_unreachable' : 'rejected')
  })
  if (person.hasTooManyGroups) visitor.chat.options.logger.warn({ provider: name }, TOO_MANY_GROUPS)
  const by = `sign-on with ${name}`
  const session = person.sid === undefined ? undefined : providerSession(visitor, person.issuer, person.sid)
  const entering = { person, by, goal: { ...goal, session }, browser }
  return orDenied(visitor, person, () =>
    visitor.write(async (tx) => {
      // An owner may have changed or removed the provider while it was asked.
      const { config: rules } = await providerNamed(tx, name)
      if (rules.issuer !== person.issuer) throw signOnFailed('attempt_expired')
      return enter(tx, { ...entering, rules })
    }),
  )
}

interface Entering extends Proceeding {
  rules: AccountRules
  person: Person
}

/** Finds or creates the account of a proven person, and returns what is still missing for the sign-in. */
export async function enter(tx: SystemTx, { rules, person, by, goal, browser }: Entering): Promise<Next> {
  const found = await whoseAccount(tx, rules, person)
  if ('link_to' in found) {
    const data = { ...goal, provider: rules.name, person }
    const where = { browser: browser.id, user_id: found.link_to.id }
    return { kind: 'link', token: await openStep(tx, 'link', data, where) }
  }
  const { account } = found
  const asks = rules.second_factor === 'ask' && (await hasSecondFactor(tx, account.id))
  if (!asks) return proceedOrSetUp(tx, account, rules, { goal, by, browser })
  const where = { browser: browser.id, user_id: account.id }
  return { kind: 'factor', token: await openStep(tx, 'factor', { ...goal, by, tries: 0 }, where) }
}

/** The package wraps what our network throws. */
function isUnreachable(error: unknown): boolean {
  for (let e = error; e instanceof Error; e = e.cause) if (e instanceof ProviderUnreachable) return true
  return false
}

interface Proceeding {
  goal: Goal
  by: string
  browser: Browser
}

/** Asks for a second factor first, if the organization requires one and neither the account nor its provider has it. */
async function proceedOrSetUp(tx: SystemTx, user: User, rules: AccountRules, proceeding: Proceeding): Promise<Next> {
  const lacks = rules.second_factor === 'ask' && (await needsSecondFactor(tx, user))
  if (!lacks) return proceed(tx, user, proceeding)
  return { kind: 'set_up', token: await openSetUp(tx, user.id, proceeding.browser.name) }
}

/** Completes a sign-in of a proven person, with a session in the browser or a key for the app that opened it. */
async function proceed(tx: SystemTx, user: User, { goal, by, browser }: Proceeding): Promise<Next> {
  if (goal.mobile !== undefined) {
    const token = await openStep(
      tx,
      'app',
      { mobile: goal.mobile, session: goal.session, by },
      { browser: browser.id, user_id: user.id },
    )
    return { kind: 'app', token }
  }
  if (goal.desktop !== undefined) {
    const token = await openStep(tx, 'desktop', { by, session: goal.session }, { browser: undefined, user_id: user.id })
    return { kind: 'desktop', text: encryptForDesktop(tx, goal.desktop, token) }
  }
  await recordSignIn(tx, user, by, 'session', browser.name)
  return {
    kind: 'session',
    api_key: await issueKey(tx, user.id, browser.name, 'session', goal.session),
    next: goal.next,
  }
}

/** `hex(iv ‖ AES-256-GCM(pad, token) ‖ tag)`, which the desktop app decrypts with its pad. */
function encryptForDesktop({ chat }: Pick<Context, 'chat'>, pad: string, token: string): string {
  const iv = chat.random.bytes(12)
  const cipher = createCipheriv('aes-256-gcm', Buffer.from(pad, 'hex'), iv)
  return Buffer.concat([iv, cipher.update(token, 'utf8'), cipher.final(), cipher.getAuthTag()]).toString('hex')
}

const MAX_WRONG_CODES = 5

/**
 * Continues with the second factor.
 *
 * @throws SIGN_ON_FAILED if there is no such sign-in in this browser, AUTHENTICATION_FAILED for a wrong code, and
 * RATE_LIMIT_HIT after too many
 */
export async function continueWithCode(visitor: Context, token: string, code: string, browser: Browser): Promise<Next> {
  const next = await visitor.write(async (tx) => {
    const step = await takeStep(tx, 'factor', token, browser.id)
    if (!step) throw signOnFailed('attempt_expired')
    await requireOpenOrganization(tx)
    const user = await activeUser(tx, step.user_id!)
    const used = await useCode(tx, user.id, code, browser.name)
    const { by, tries, ...goal } = step.data
    if (used) return proceed(tx, user, { goal, by: `${by} and ${used}`, browser })
    if (tries + 1 < MAX_WRONG_CODES) {
      await openStep(tx, 'factor', { ...goal, by, tries: tries + 1 }, { browser: browser.id, user_id: user.id }, token)
    }
    return user.id
  })
  if (typeof next !== 'number') return next
  failedSignInsOf(visitor.chat).note(visitor, next)
  throw new ChatError('AUTHENTICATION_FAILED', 'Wrong code. Codes change every 30 seconds, and each works once')
}

/**
 * Links the provider to an account whose password is right, and signs in to it.
 *
 * @throws SIGN_ON_FAILED if there is no such sign-in in this browser, and like a sign-in with the password
 */
export async function continueWithPassword(
  visitor: Context,
  token: string,
  given: { username: string; password: string },
  browser: Browser,
): Promise<Next> {
  if (!(await findStep(visitor, 'link', token, browser.id))) throw signOnFailed('attempt_expired')
  const { account, by } = await provePassword(visitor, given)
  return visitor.write(async (tx) => {
    const step = await takeStep(tx, 'link', token, browser.id)
    if (!step) throw signOnFailed('attempt_expired')
    const { provider: name, person, ...goal } = step.data
    const user = await activeUser(tx, account.id)
    const rules = await rulesNamed(tx, name)
    await link(tx, rules, person, user)
    return proceedOrSetUp(tx, user, rules, { goal, by: `${by} and sign-on with ${name}`, browser })
  })
}

/** Returns the account that an app wants a key of, to ask its owner. */
export async function askForApp(visitor: Context, token: string, browser: string): Promise<User> {
  const step = await findStep(visitor, 'app', token, browser)
  if (!step) throw signOnFailed('attempt_expired')
  return (await findUser(visitor.db, step.user_id!))!
}

/** Returns the address with which the browser hands a key to the app. The key is only readable with the app's pad. */
export async function allowApp(visitor: Context, token: string, browser: Browser): Promise<string> {
  return visitor.write(async (tx) => {
    const step = await takeStep(tx, 'app', token, browser.id)
    if (!step) throw signOnFailed('attempt_expired')
    await requireOpenOrganization(tx)
    const user = await activeUser(tx, step.user_id!)
    await requireTermsOfApps(tx, user.id)
    await recordSignIn(tx, user, step.data.by, 'key', `App, from ${browser.name}`)
    const key = Buffer.from(await issueKey(tx, user.id, `App, from ${browser.name}`, 'key', step.data.session), 'ascii')
    const pad = Buffer.from(step.data.mobile!, 'hex')
    const encrypted = Buffer.from(key.map((byte, i) => byte ^ pad[i]!)).toString('hex')
    const params = { otp_encrypted_api_key: encrypted, email: user.delivery_email, user_id: String(user.id) }
    return `zulip://login?${new URLSearchParams({ realm: tx.origin, ...params })}`
  })
}

/** Signs the desktop app in with its token. */
export async function redeemDesktopToken(visitor: Context, token: string, name: string): Promise<Next> {
  return visitor.write(async (tx) => {
    const step = await takeStep(tx, 'desktop', token, undefined)
    if (!step) throw signOnFailed('attempt_expired')
    await requireOpenOrganization(tx)
    const user = await activeUser(tx, step.user_id!)
    return proceed(tx, user, { goal: { session: step.data.session }, by: step.data.by, browser: { id: '', name } })
  })
}

async function activeUser(tx: SystemTx, user_id: number): Promise<User> {
  const user = (await findUser(tx.db, user_id))!
  if (!user.is_active) throw accountDeactivated()
  return user
}
