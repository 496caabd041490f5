import { action } from '../kernel/action.ts'
import { badRequest } from '../kernel/errors.ts'
import { none } from '../kernel/fields.ts'
import { empty } from '../shapes/values.ts'

/** Services that this server doesn't offer. It answers like an upstream server without them. */

const refuse = (message: string) => () => Promise.reject(badRequest(message))

/**
 * POST /calls/zoom/create: always fails.
 *
 * @throws BAD_REQUEST always: no such service is set up
 */
export const createZoomCall = action(
  { name: 'createZoomCall', summary: 'Create a Zoom call', params: none, result: empty },
  refuse('Zoom credentials have not been configured'),
)

/**
 * GET /messages/summary: always fails.
 *
 * @throws BAD_REQUEST always
 */
export const summarizeMessages = action(
  { name: 'summarizeMessages', summary: 'Summarize messages', params: none, result: empty },
  refuse('AI features are not enabled on this server.'),
)
