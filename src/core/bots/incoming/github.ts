import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { described, text } from '../../kernel/fields.ts'
import { id } from '../../shapes/values.ts'
import { announceEvent, placeParams, receiving } from './announce.ts'
import { githubEvents } from './github-events.ts'
import { payload, requireEvent } from './payload.ts'

/**
 * POST /external/github: an event of a GitHub repository becomes a message. Kinds of events that are not announced are
 * accepted, and answered without an id.
 *
 * @throws STREAM_DOES_NOT_EXIST for a stream that the bot may not know
 * @throws BAD_REQUEST for a payload that is not what an event of this kind looks like
 */
export const receiveGithub = action(
  {
    name: 'receiveGithub',
    summary: 'Receive an event of GitHub',
    params: v.object({
      ...placeParams,
      event: described(v.nullish(text), 'What happened, as GitHub names it.'),
      payload,
    }),
    result: v.strictObject({ id: v.exactOptional(id) }),
    headers: { event: 'x-github-event' },
    ...receiving,
  },
  (caller, { event, payload, ...place }) =>
    announceEvent(caller, place, githubEvents, requireEvent(event, 'X-GitHub-Event'), payload),
)
