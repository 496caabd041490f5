import type { ActionSpec, ParamsSchema } from '../core/kernel/action.ts'
import type { Caller } from '../core/kernel/context.ts'

/** The methods of the API. HEAD is derived from GET and OPTIONS from the row, unless a row has its own. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** Any action, whatever its parameters: the entries of the table. */
export interface AnyAction extends ActionSpec<ParamsSchema> {
  // biome-ignore lint/suspicious/noExplicitAny: each action checks its own parameters.
  (caller: Caller, params: any): Promise<object>
}

/** Path, then method, then action. Paths of the API are below /api/v1. */
export type Routes = Readonly<Record<string, Partial<Record<Method | 'HEAD' | 'OPTIONS', AnyAction>>>>

/** Routes of one noun. */
export interface Section {
  /** The noun, in the description of the API. */
  tag: string
  routes: Routes
  /** Prefix of their paths; empty by default. */
  prefix?: string
}

/** The names of the parameters in a path. */
export const pathNames = (path: string): Set<string> => new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name!))
