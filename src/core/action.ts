import type * as v from 'valibot'
import { check } from './check.ts'
import { type Caller, type Context, currentUser } from './context.ts'
import type { ErrorCode } from './errors.ts'
import { mustBeAdministrator, notPermitted } from './errors.ts'
import { isAdministrator, isGuest, isOwner } from './roles.ts'

// biome-ignore lint/suspicious/noExplicitAny: the schemas of all actions, whatever their fields.
export type ParamsSchema = v.GenericSchema<any, any>

/** Who may call at all. Finer rules are in core/permissions.ts. */
export type Role = 'visitor' | 'anyone' | 'member' | 'administrator' | 'owner'

export interface ActionSpec<P extends ParamsSchema> {
  /** One line, for the API document. */
  summary: string
  params: P
  role?: Role
  /** Codes this action answers with, besides those of any request. */
  errors?: readonly ErrorCode[]
}

export interface Action<P extends ParamsSchema = ParamsSchema, R extends object = object> extends ActionSpec<P> {
  (caller: Caller, params: v.InferInput<P>): Promise<R>
}

export interface PublicAction<P extends ParamsSchema = ParamsSchema, R extends object = object> extends ActionSpec<P> {
  (visitor: Context, params: v.InferInput<P>): Promise<R>
  role: 'visitor'
}

/** A plain async function with its contract attached: validates, checks the role, runs. */
export function action<P extends ParamsSchema, R extends object>(
  spec: ActionSpec<P>,
  run: (caller: Caller, params: v.InferOutput<P>) => Promise<R>,
): Action<P, R> {
  const call = async (caller: Caller, params: v.InferInput<P>): Promise<R> => {
    // A caller may be older than the last change of its account.
    const user = 'afterCommit' in caller ? caller.user : await currentUser(caller, caller.user.id)
    const current = user === caller.user ? caller : { ...caller, user }
    requireRole(current, spec.role ?? 'anyone')
    return run(current, check(spec.params, params))
  }
  return Object.assign(call, spec)
}

/** An action for whoever has not signed in. */
export function publicAction<P extends ParamsSchema, R extends object>(
  spec: Omit<ActionSpec<P>, 'role'>,
  run: (visitor: Context, params: v.InferOutput<P>) => Promise<R>,
): PublicAction<P, R> {
  const call = async (visitor: Context, params: v.InferInput<P>): Promise<R> => run(visitor, check(spec.params, params))
  return Object.assign(call, spec, { role: 'visitor' as const })
}

export function requireRole({ user }: Caller, role: Role): void {
  if (role === 'owner' && !isOwner(user)) throw notPermitted('Must be an organization owner')
  if (role === 'administrator' && !isAdministrator(user)) throw mustBeAdministrator()
  if (role === 'member' && isGuest(user)) throw notPermitted('Not allowed for guest users')
}
