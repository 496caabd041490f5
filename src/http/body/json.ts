import { depthOf, MAX_JSON_DEPTH } from '../../core/kernel/base/json-depth.ts'
import { badRequest, ChatError } from '../../core/kernel/errors.ts'
import { memberNames } from '../json-text.ts'
import { type Parameters, sentTwice } from '../parameters.ts'

/** Reads a JSON object of parameters: strings as text, everything else with its JSON type. */
export function readJsonParameters(parameters: Parameters, text: string): void {
  const object = parseJson(text, MAX_JSON_DEPTH + 1)
  if (typeof object !== 'object' || object === null || Array.isArray(object)) {
    throw badRequest('The JSON body must be an object')
  }
  const members = Object.entries(object)
  const names = memberNames(text)
  if (names.length !== members.length) throw sentTwice(duplicateOf(names))
  for (const [name, value] of members) {
    if (name === '__proto__') throw badRequest("The JSON body can't have a member named __proto__")
    parameters.addValue(name, value)
  }
}

/** Parses a body; throws a ChatError for invalid JSON. */
export function parseJson(text: string, maxDepth = MAX_JSON_DEPTH): unknown {
  if (depthOf(text) > maxDepth) throw badRequest(`The JSON body can't be nested deeper than ${MAX_JSON_DEPTH} levels`)
  try {
    return JSON.parse(text)
  } catch {
    throw new ChatError('INVALID_JSON', 'Malformed JSON')
  }
}

function duplicateOf(names: string[]): string {
  const seen = new Set<string>()
  for (const quoted of names) {
    const name = JSON.parse(quoted) as string
    if (seen.has(name)) return name
    seen.add(name)
  }
  return ''
}
