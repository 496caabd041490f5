import * as v from 'valibot'
import { action, publicAction } from '../action.ts'
import { badRequest } from '../errors.ts'
import { described, id, none } from '../fields.ts'
import { empty } from '../shapes/values.ts'
import { accessStream } from '../streams/access.ts'

/** What this server does not offer, and answers as the reference does where it is not set up. */

/** An operation that is always refused. */
const refused = (name: string, summary: string, message: string) =>
  action({ name, summary, params: none, result: empty }, async () => {
    throw badRequest(message)
  })
const refusedToAll = (name: string, summary: string, message: string) =>
  publicAction({ name, summary, params: none, result: empty }, async () => {
    throw badRequest(message)
  })

/**
 * GET /calls/bigbluebutton/create
 *
 * @throws BAD_REQUEST always: no such service is set up
 */
export const createBigBlueButtonCall = refused(
  'createBigBlueButtonCall',
  'Create a BigBlueButton call',
  'BigBlueButton is not configured.',
)

/**
 * POST /calls/zoom/create
 *
 * @throws BAD_REQUEST always: no such service is set up
 */
export const createZoomCall = refused(
  'createZoomCall',
  'Create a Zoom call',
  'Zoom credentials have not been configured',
)

/**
 * GET /messages/summary
 *
 * @throws BAD_REQUEST always
 */
export const summarizeMessages = refused(
  'summarizeMessages',
  'Summarize messages',
  'AI features are not enabled on this server.',
)

/**
 * POST /jwt/fetch_api_key
 *
 * @throws BAD_REQUEST always
 */
export const fetchApiKeyByToken = refusedToAll(
  'fetchApiKeyByToken',
  'Get an API key with a JSON web token',
  'JWT authentication is not enabled for this organization',
)

/**
 * GET /streams/{stream_id}/email_address
 *
 * @throws BAD_REQUEST "Invalid stream ID" for a stream the caller may not know of; for others, as no e-mail arrives here
 */
export const getStreamEmail = action(
  {
    name: 'getStreamEmail',
    summary: "Get a stream's e-mail address",
    params: v.object({ stream_id: described(id, 'Id of the stream.') }),
    result: empty,
  },
  async (caller, { stream_id }) => {
    await accessStream(caller, stream_id)
    throw badRequest('This server receives no e-mail, so its streams have no addresses.')
  },
)
