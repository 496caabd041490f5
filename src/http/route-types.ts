import type { ActionSpec, ParamsSchema } from '../core/action.ts'
import type { Caller } from '../core/context.ts'

/** The methods of the API. HEAD follows from GET and OPTIONS from the row, unless a row has its own. */
export const methods = ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'] as const
export type Method = (typeof methods)[number]

/** Any action, whatever its parameters: what a row of the table holds. */
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
  /** What stands before their paths; nothing unless given. */
  prefix?: string
}

/** The parameters that a path gives. */
export const pathNames = (path: string): Set<string> => new Set([...path.matchAll(/:(\w+)/g)].map(([, name]) => name!))
