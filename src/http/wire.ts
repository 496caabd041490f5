import { ChatError } from '../core/errors.ts'
import { type AnySchema, isOptional, jsonTypeOf, type Leaf, leavesOf } from './leaves.ts'

/** How a parameter is written: text as it is, everything else as JSON, either when the schema takes both. */
export type Form = 'text' | 'json' | 'either' | 'file'

export interface WireEntry {
  name: string
  form: Form
  optional: boolean
  leaves: ReadonlySet<Leaf>
}

/** What the shell must know of an action's parameters, computed once. */
export interface WirePlan {
  entries: readonly WireEntry[]
  names: ReadonlySet<string>
  /** The parameter that takes the uploaded file. */
  file: string | undefined
}

const MAX_JSON_DEPTH = 32

export function planOf(params: AnySchema): WirePlan {
  const schemas = (params as { entries?: Record<string, AnySchema> }).entries
  if (!schemas) throw new Error('the parameters of an action are one object schema')
  const entries = Object.entries(schemas).map(([name, schema]): WireEntry => {
    const leaves = leavesOf(schema)
    return { name, form: formOf(leaves), optional: isOptional(schema), leaves }
  })
  return {
    entries: entries.filter((entry) => entry.form !== 'file'),
    names: new Set(entries.map((entry) => entry.name)),
    file: entries.find((entry) => entry.form === 'file')?.name,
  }
}

function formOf(leaves: ReadonlySet<Leaf>): Form {
  if (leaves.has('file')) return 'file'
  if (leaves.has('any')) return 'either'
  if (!leaves.has('string')) return 'json'
  return [...leaves].every((leaf) => leaf === 'string' || leaf === 'null') ? 'text' : 'either'
}

/** Text of the wire to values, as the plan says; what is right about the values is the schema's business. */
export function decode(plan: WirePlan, received: ReadonlyMap<string, string>): Record<string, unknown> {
  const params: Record<string, unknown> = {}
  for (const entry of plan.entries) {
    const text = received.get(entry.name)
    if (text === undefined) continue
    if (entry.form === 'text') params[entry.name] = text
    else {
      const value = entry.form === 'json' ? fromJson(entry, text) : fromEither(entry, text)
      if (value !== undefined) params[entry.name] = value
    }
  }
  return params
}

function fromJson({ name, optional, leaves }: WireEntry, text: string): unknown {
  // @NOTE zulip-js writes the word null for what its caller left out.
  if (optional && (text === '' || text === 'null')) return undefined
  const value = parse(text)
  if (value !== notJson) return value
  // A word for a number is left as it is, so that the schema says "is not an integer".
  if (!leaves.has('array') && !leaves.has('object')) return text
  throw new ChatError('INVALID_JSON', `Argument "${name}" is not valid JSON.`)
}

function fromEither({ optional, leaves }: WireEntry, text: string): unknown {
  if (optional && text === 'null') return undefined
  const value = parse(text)
  // A stream may be called "1e0": where text is as good, a number is what ids look like.
  if (typeof value === 'number' && leaves.has('string') && !/^-?\d+$/.test(text)) return text
  // A stream may be called "true": only JSON that the schema could take is JSON.
  return value !== notJson && (leaves.has('any') || leaves.has(jsonTypeOf(value))) ? value : text
}

const notJson = Symbol('not JSON')

/** A value, or `notJson`. */
function parse(text: string): unknown {
  // The first character tells most names from JSON; a failed JSON.parse costs more than all the rest of a request.
  if (!/^\s*["[{\d\-tfn]/.test(text) || depthOf(text) > MAX_JSON_DEPTH) return notJson
  try {
    return JSON.parse(text)
  } catch {
    return notJson
  }
}

/** How deep a JSON text nests, brackets in its strings not counted. */
function depthOf(text: string): number {
  if (!/[[{]/.test(text)) return 0
  let depth = 0
  let deepest = 0
  let quoted = false
  for (let i = 0; i < text.length; i++) {
    const c = text[i]
    if (quoted) {
      if (c === '\\') i++
      else if (c === '"') quoted = false
    } else if (c === '"') quoted = true
    else if (c === '[' || c === '{') deepest = Math.max(deepest, ++depth)
    else if (c === ']' || c === '}') depth--
  }
  return deepest
}

/** Names that were sent and that no schema asked for; `client` is the shell's own. */
export function ignoredNames(plan: WirePlan, received: ReadonlyMap<string, string>): string[] {
  const ignored: string[] = []
  for (const name of received.keys()) if (!plan.names.has(name) && name !== 'client') ignored.push(name)
  return ignored
}
