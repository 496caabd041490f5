import type * as v from 'valibot'
import { type AuditRule, keepUnrecorded, record } from './audit.ts'
import { check } from './check.ts'
import { type Caller, type Context, currentUser, withGrant } from './context.ts'
import { checkContract } from './contract.ts'
import type { ErrorCode } from './errors.ts'
import { ChatError, mustBeAdministrator, mustBeModerator, mustBeOwner, notLoggedIn, notPermitted } from './errors.ts'
import { type KeyRule, once } from './idempotency.ts'
import { isAdministrator, isGuest, isModerator, isOwner } from './roles.ts'
import { requireScope } from './scopes.ts'
import { isSpectator } from './spectator.ts'
import type { Transport } from './transport.ts'

// biome-ignore lint/suspicious/noExplicitAny: the schemas of all actions, whatever their fields.
export type ParamsSchema = v.GenericSchema<any, any>
// biome-ignore lint/suspicious/noExplicitAny: as above.
export type ResultSchema = v.GenericSchema<any, any>

/** The least role that may call an action. Finer rules are in access/permissions.ts. */
export type Role = 'visitor' | 'anyone' | 'member' | 'moderator' | 'administrator' | 'owner'

export interface ActionSpec<P extends ParamsSchema = ParamsSchema, R extends ResultSchema = ResultSchema>
  extends Transport {
  /** The name of its export, and the operation's id in the API document. */
  name: string
  /** One line, for the API document. */
  summary: string
  params: P
  /** Its response besides `result` and `msg`. Types and the API document follow from it, and tests check it. */
  result: R
  role?: Role
  /**
   * Whether a request may be repeated with the same Idempotency-Key to get the first response again. Declared if a
   * repetition would create a second object or be rejected.
   */
  idempotencyKey?: KeyRule
  /**
   * Whether its responses contain a credential: an API key, a token, a password, or a link that admits people. They
   * are never compressed. The size of a compressed response could tell an eavesdropper whether their own text in it
   * resembles the secret (BREACH). A function if only some responses contain one.
   */
  secret?: true | ((answer: v.InferOutput<R>) => boolean)
  /** How the audit log records it. Missing for what concerns only the caller, and for messages, which record themselves. */
  audit?: AuditRule<v.InferOutput<P>>
  /** Whether incoming webhooks, which may only send, may call it. */
  forWebhooks?: true
  /** Admits people without an account, or throws UNAUTHORIZED. Without it, the action needs an account. */
  spectators?: (context: Context) => Promise<void>
  /** Error codes of this action, besides the ones of any request. */
  errors?: readonly ErrorCode[]
}

/** Parameters as callers pass them. The argument is optional if all its members are. */
type Given<P extends ParamsSchema> =
  Record<never, never> extends v.InferInput<P> ? [params?: v.InferInput<P>] : [params: v.InferInput<P>]

export interface Action<P extends ParamsSchema = ParamsSchema, R extends ResultSchema = ResultSchema>
  extends ActionSpec<P, R> {
  (caller: Caller, ...params: Given<P>): Promise<v.InferOutput<R>>
}

export interface PublicAction<P extends ParamsSchema = ParamsSchema, R extends ResultSchema = ResultSchema>
  extends ActionSpec<P, R> {
  (visitor: Context, ...params: Given<P>): Promise<v.InferOutput<R>>
  role: 'visitor'
}

/** An action with named types. The published declarations have these instead of the types of schemas. */
export interface NamedAction<P, R> extends ActionSpec {
  (caller: Caller, ...params: Record<never, never> extends P ? [params?: P] : [params: P]): Promise<R>
}

/** An action with named types that needs no account. */
export interface NamedPublicAction<P, R> extends ActionSpec {
  (visitor: Context, ...params: Record<never, never> extends P ? [params?: P] : [params: P]): Promise<R>
  role: 'visitor'
}

/** Creates an action: an async function with its contract attached, which validates, checks the role, and runs. */
export function action<P extends ParamsSchema, R extends ResultSchema>(
  spec: ActionSpec<P, R>,
  run: (caller: Caller, params: v.InferOutput<P>) => Promise<v.InferInput<R>>,
): Action<P, R> {
  return described(spec, async (caller: Caller, ...[params = {}]: Given<P>) => {
    const isReader = isSpectator(caller.user)
    if (isReader) await admitSpectator(spec, caller)
    // The account may have changed since this caller was created.
    const reading = isReader || 'afterCommit' in caller ? caller.user : currentUser(caller, caller.user.id)
    const user = reading instanceof Promise ? await reading : reading
    const permitted = caller.grant?.scopes ? permittedBy(caller, spec.name) : caller
    const current = user === permitted.user ? permitted : { ...permitted, user }
    if (user.bot_type === INCOMING_WEBHOOK && !spec.forWebhooks) throw notForWebhooks()
    requireRole(current, spec.role ?? 'anyone')
    const perform = (by: Caller) => {
      const checked = check(spec.params, params)
      return run(spec.audit ? recording(by, spec.name, spec.audit, checked) : by, checked)
    }
    const { name, idempotencyKey: rule } = spec
    const keyed = rule && rule !== 'own' && caller.idempotencyKey !== undefined
    const result = keyed ? await once(current, { name, rule }, params, perform) : await perform(current)
    checkContract(caller.chat, `the answer of ${spec.name}`, spec.result, result)
    return result
  })
}

/** Returns the caller as an action that their key permits sees them. The actions that it calls need no other scope. */
function permittedBy(caller: Caller, action: string): Caller {
  const { grant } = caller
  requireScope(grant!, action)
  // It stays known that the key is limited, although the action may call others.
  return withGrant(caller, { channels: grant!.channels })
}

/** Returns the caller with a `write` that records what the action changes. */
function recording<P>(caller: Caller, action: string, rule: AuditRule<P>, params: P): Caller {
  if (rule.when && !rule.when(params)) return caller
  let writes = 0
  const recorder: Caller = {
    ...caller,
    write(work, options) {
      const isFirst = writes++ === 0
      return caller.write((tx) => record(tx, { action, rule, params, isFirst }, async () => work(tx)), options)
    },
  }
  keepUnrecorded(recorder, caller)
  return recorder
}

/** Creates an action that needs no account. */
export function publicAction<P extends ParamsSchema, R extends ResultSchema>(
  spec: Omit<ActionSpec<P, R>, 'role'>,
  run: (visitor: Context, params: v.InferOutput<P>) => Promise<v.InferInput<R>>,
): PublicAction<P, R> {
  return described({ ...spec, role: 'visitor' as const }, async (visitor: Context, ...[params = {}]: Given<P>) => {
    const result = await run(visitor, check(spec.params, params))
    checkContract(visitor.chat, `the answer of ${spec.name}`, spec.result, result)
    return result
  })
}

/** Attaches the contract to the function. Stack traces and profilers show its name. */
function described<F extends (...args: never[]) => unknown, S extends { name: string }>(
  { name, ...spec }: S,
  call: F,
): F & S {
  return Object.assign(Object.defineProperty(call, 'name', { value: name }), spec) as F & S
}

/** Throws unless people without an account may currently call the action. */
export async function admitSpectator({ spectators }: Pick<ActionSpec, 'spectators'>, context: Context): Promise<void> {
  if (!spectators) throw notLoggedIn()
  await spectators(context)
}

const INCOMING_WEBHOOK = 2
const notForWebhooks = () =>
  new ChatError('UNAUTHORIZED_PRINCIPAL', 'This API is not available to incoming webhook bots.', {}, 'credentials')

export function requireRole({ user }: Pick<Caller, 'user'>, role: Role): void {
  if (role === 'owner' && !isOwner(user)) throw mustBeOwner()
  if (role === 'moderator' && !isModerator(user)) throw mustBeModerator()
  if (role === 'administrator' && !isAdministrator(user)) throw mustBeAdministrator()
  if (role === 'member' && isGuest(user)) throw notPermitted('Not allowed for guest users')
}
