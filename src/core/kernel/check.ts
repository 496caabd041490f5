import * as v from 'valibot'
import { badRequest, ChatError } from './errors.ts'

/** Validates a value, or throws the API's sentence for the first invalid part. */
export function check<S extends v.GenericSchema>(schema: S, input: unknown): v.InferOutput<S> {
  const result = v.safeParse(schema, input, { abortEarly: true })
  if (result.success) return result.output
  throw refusal(result.issues[0])
}

const nouns: Readonly<Record<string, string>> = {
  number: 'an integer',
  integer: 'an integer',
  boolean: 'a boolean',
  string: 'a string',
  array: 'a list',
  object: 'a dict',
  record: 'a dict',
  strict_object: 'a dict',
}

function refusal(issue: v.BaseIssue<unknown>): ChatError {
  const path = v.getDotPath(issue)
  if (issue.type === 'object' && path && !path.includes('.') && issue.received === 'undefined') {
    return new ChatError('REQUEST_VARIABLE_MISSING', `Missing '${path}' argument`, { var_name: path })
  }
  const name = wireName(issue)
  const noun = nouns[issue.type]
  // The schema's own sentence, from a check, a length or a list of choices.
  if (!isStandard(issue)) {
    const given = typeof issue.input === 'object' ? JSON.stringify(issue.input) : String(issue.input)
    return badRequest(issue.message.replaceAll('{name}', name).replaceAll('{value}', () => given.slice(0, 100)))
  }
  if (issue.kind === 'schema' && noun) return badRequest(`${name} is not ${noun}`)
  if (issue.type === 'integer') return badRequest(`${name} is not an integer`)
  if (issue.type === 'safe_integer') return badRequest(`${name} is too large`)
  if (issue.type === 'picklist' || issue.type === 'literal') return badRequest(`Invalid ${name}`)
  return badRequest(`${name} has an invalid value`)
}

/** Returns whether the message is valibot's default. */
const isStandard = ({ message }: v.BaseIssue<unknown>): boolean => /^Invalid [\w ]+: (Expected|Received) /.test(message)

/** Returns the API's name for an element of a list, such as `to[2]`. */
function wireName(issue: v.BaseIssue<unknown>): string {
  const keys = issue.path?.map((item) => item.key) ?? []
  const [first, ...rest] = keys
  return rest.reduce<string>(
    (name, key) => name + (typeof key === 'number' ? `[${key}]` : `["${String(key)}"]`),
    String(first ?? 'request'),
  )
}
