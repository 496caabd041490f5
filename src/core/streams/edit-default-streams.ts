import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { badRequest } from '../kernel/errors.ts'
import { described, id } from '../kernel/fields.ts'
import { empty } from '../shapes/values.ts'
import { accessStream } from './access.ts'
import { makeDefaultStream, removeFromDefaults } from './default-streams.ts'

/**
 * POST /default_streams: new users will be subscribed to this stream. Repeating it changes nothing.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown stream, or one the caller may not know of; also for a private one
 */
export const addDefaultStream = action(
  {
    name: 'addDefaultStream',
    summary: 'Add a default stream',
    params: v.object({ stream_id: described(id, 'Id of the stream.') }),
    result: empty,
    role: 'administrator',
  },
  (caller, { stream_id }) =>
    caller.write(async (tx) => {
      const stream = await accessStream(tx, stream_id)
      if (stream.invite_only) throw badRequest('Private streams cannot be made default.')
      await makeDefaultStream(tx, stream)
      return {}
    }),
)

/**
 * DELETE /default_streams
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown stream, or one the caller may not know of
 */
export const removeDefaultStream = action(
  {
    name: 'removeDefaultStream',
    summary: 'Remove a default stream',
    params: v.object({ stream_id: described(id, 'Id of the stream.') }),
    result: empty,
    role: 'administrator',
  },
  (caller, { stream_id }) =>
    caller.write(async (tx) => {
      await accessStream(tx, stream_id)
      await removeFromDefaults(tx, stream_id)
      return {}
    }),
)
