import { depthOf, MAX_JSON_DEPTH } from '../../kernel/base/json-depth.ts'
import { badRequest, ChatError } from '../../kernel/errors.ts'

/**
 * Parses what another service sent.
 *
 * @throws BAD_REQUEST if it nests too deep; INVALID_JSON
 */
export function parsed(body: string): unknown {
  if (depthOf(body) > MAX_JSON_DEPTH) throw badRequest(`A payload must not nest deeper than ${MAX_JSON_DEPTH} levels`)
  try {
    return JSON.parse(body)
  } catch {
    throw new ChatError('INVALID_JSON', 'Malformed JSON')
  }
}
