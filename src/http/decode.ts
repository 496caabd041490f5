import { depthOf, MAX_JSON_DEPTH } from '../core/kernel/base/json-depth.ts'
import { ChatError } from '../core/kernel/errors.ts'
import { type AnySchema, isOptional, jsonTypeOf, kindsOf, type SchemaKind } from './schema-kinds.ts'

/** How a form encodes a parameter: text unchanged, everything else as JSON, and either if the schema accepts both. */
export type Encoding = 'text' | 'json' | 'either' | 'file' | 'stream'

export interface PlanEntry {
  name: string
  encoding: Encoding
  optional: boolean
  takesNull: boolean
  kinds: ReadonlySet<SchemaKind>
}

/** What the shell needs to know about an action's parameters. */
export interface ParameterPlan {
  /** All except the file. */
  entries: readonly PlanEntry[]
  names: ReadonlySet<string>
  /** The parameter that takes a file, as bytes or while they arrive. */
  file: { name: string; streamed: boolean; optional: boolean } | undefined
}

/** The plans by schema: every app in a process has the same actions. */
const plans = new WeakMap<AnySchema, ParameterPlan>()

export function planOf(params: AnySchema): ParameterPlan {
  const plan = plans.get(params) ?? makePlan(params)
  plans.set(params, plan)
  return plan
}

function makePlan(params: AnySchema): ParameterPlan {
  const schemas = (params as { entries?: Record<string, AnySchema> }).entries
  if (!schemas) throw new Error('the parameters of an action must be one object schema')
  const all = Object.entries(schemas).map(([name, schema]): PlanEntry => {
    const kinds = kindsOf(schema)
    return { name, encoding: encodingOf(kinds), optional: isOptional(schema), takesNull: takesNull(schema), kinds }
  })
  const isFile = ({ encoding }: PlanEntry) => encoding === 'file' || encoding === 'stream'
  const file = all.find(isFile)
  return {
    entries: all.filter((entry) => !isFile(entry)),
    names: new Set(all.map((entry) => entry.name)),
    file: file && { name: file.name, streamed: file.encoding === 'stream', optional: file.optional },
  }
}

/**
 * Returns whether a parameter is optional and null has a meaning of its own. For other optional parameters null means
 * absent.
 */
const takesNull = (schema: AnySchema): boolean => {
  const { type, wrapped } = schema as { type: string; wrapped?: { type: string } }
  return type === 'optional' && wrapped?.type === 'nullable'
}

function encodingOf(kinds: ReadonlySet<SchemaKind>): Encoding {
  if (kinds.has('file')) return 'file'
  if (kinds.has('stream')) return 'stream'
  if (kinds.has('any')) return 'either'
  if (!kinds.has('string')) return 'json'
  return [...kinds].every((kind) => kind === 'string' || kind === 'null') ? 'text' : 'either'
}

/**
 * Decodes parameters into values according to the plan. Members of a JSON body are values already. The schema checks
 * the values later.
 */
export function decode(
  { entries }: ParameterPlan,
  texts: ReadonlyMap<string, string>,
  members?: ReadonlyMap<string, unknown>,
): Record<string, unknown> {
  const params: Record<string, unknown> = {}
  for (const entry of entries) {
    const text = texts.get(entry.name)
    const value = text === undefined ? members && fromBody(entry, members.get(entry.name)) : fromText(entry, text)
    if (value !== undefined) params[entry.name] = value
  }
  return params
}

// @NOTE some clients send null for a missing parameter, in forms and in JSON
const fromBody = ({ optional, takesNull }: PlanEntry, value: unknown): unknown =>
  optional && !takesNull && value === null ? undefined : value

function fromText(entry: PlanEntry, text: string): unknown {
  if (entry.encoding === 'text') return text
  return entry.encoding === 'json' ? fromJson(entry, text) : fromEither(entry, text)
}

function fromJson({ name, optional, takesNull, kinds }: PlanEntry, text: string): unknown {
  // @NOTE zulip-js sends the word null for a missing parameter
  if (optional && (text === '' || (text === 'null' && !takesNull))) return undefined
  const value = parse(text)
  if (value !== notJson) return value
  // Text that should be a number is left unchanged, so that the schema reports "is not an integer".
  if (!kinds.has('array') && !kinds.has('object')) return text
  throw new ChatError('BAD_REQUEST', `Argument "${name}" is not valid JSON.`)
}

function fromEither({ optional, kinds }: PlanEntry, text: string): unknown {
  if (optional && text === 'null') return undefined
  const value = parse(text)
  // A stream may be named "1e0": if text is allowed too, only numbers that look like ids are numbers.
  if (typeof value === 'number' && kinds.has('string') && !/^-?\d+$/.test(text)) return text
  // A stream may be named "true": JSON is decoded only if the schema could accept its value.
  return value !== notJson && (kinds.has('any') || kinds.has(jsonTypeOf(value))) ? value : text
}

const notJson = Symbol('not JSON')

/** The parsed value, or `notJson`. */
function parse(text: string): unknown {
  // The first character distinguishes most names from JSON. A failed JSON.parse costs more than the rest of a request.
  if (!/^\s*["[{\d\-tfn]/.test(text) || depthOf(text) > MAX_JSON_DEPTH) return notJson
  try {
    return JSON.parse(text)
  } catch {
    return notJson
  }
}

/** Returns parameter names that are in no schema. The shell itself uses `client`. */
export function ignoredNames(
  { names }: ParameterPlan,
  texts: ReadonlyMap<string, string>,
  members?: ReadonlyMap<string, unknown>,
): string[] {
  const ignored: string[] = []
  const add = (name: string) => void (names.has(name) || name === 'client' || ignored.push(name))
  for (const name of texts.keys()) add(name)
  if (members) for (const name of members.keys()) add(name)
  return ignored
}
