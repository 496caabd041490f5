import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { described, text } from '../../kernel/fields.ts'
import { id } from '../../shapes/values.ts'
import { announceEvent, placeParams, receiving } from './announce.ts'
import { githubEvents } from './github-events.ts'
import { payload, requireEvent } from './payload.ts'

/**
 * POST /external/github: sends a message for an event of a GitHub repository. Events of other types are accepted, and
 * the response has no id.
 *
 * @throws STREAM_DOES_NOT_EXIST for a stream that is hidden from the bot
 * @throws BAD_REQUEST for a payload that doesn't fit the type of event
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
