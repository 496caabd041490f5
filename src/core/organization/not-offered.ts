import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id, none } from '../kernel/fields.ts'
import { requirePosting } from '../messages/send/recipient.ts'
import { empty } from '../shapes/values.ts'
import { accessStream } from '../streams/access.ts'

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

/**
 * GET /streams/{stream_id}/email_address: always fails.
 *
 * @throws BAD_REQUEST "Invalid stream ID" for a stream the caller may not know of; without the permission to post there; and
 * otherwise, as no email arrives here
 */
export const getStreamEmail = action(
  {
    name: 'getStreamEmail',
    summary: "Get a channel's email address",
    params: v.object({ stream_id: described(id, 'ID of the channel.') }),
    result: empty,
  },
  async (caller, { stream_id }) => {
    await requirePosting(caller, await accessStream(caller, stream_id))
    throw badRequest("This server doesn't receive email, so its channels have no email addresses.")
  },
)
