import * as v from 'valibot'
import { accessMessage } from '../access/messages.ts'
import { admitSpectators } from '../access/spectators.ts'
import { action } from '../kernel/action.ts'
import { described, id } from '../kernel/fields.ts'
import { messageViews } from '../messages/view.ts'
import { messageShape } from '../shapes/message.ts'
import { viewOptions, viewParams } from './message-params.ts'

/**
 * GET /messages/{id}: returns a message.
 *
 * @throws BAD_REQUEST "Invalid message(s)" for an unknown message, or one the caller cannot see
 * @example
 * const { message } = await getMessage(caller, { message_id, apply_markdown: false })
 */
export const getMessage = action(
  {
    name: 'getMessage',
    summary: 'Get a message',
    params: v.object({ message_id: described(id, 'ID of the message.'), ...viewParams }),
    result: v.strictObject({ message: messageShape, raw_content: v.string() }),
    spectators: admitSpectators,
  },
  async (caller, { message_id, ...requested }) => {
    const message = await accessMessage(caller, message_id)
    const [view] = await messageViews(caller, [message_id], viewOptions(requested))
    return { message: view!, raw_content: message.content }
  },
)
