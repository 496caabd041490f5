import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { described, text } from '../../kernel/fields.ts'
import { id } from '../../shapes/values.ts'
import { announceEvent, placeParams, receiving } from './announce.ts'
import { gitlabEvents } from './gitlab-events.ts'
import { payload, requireEvent } from './payload.ts'

/**
 * POST /external/gitlab: sends a message for an event of a GitLab project. Events of other types are accepted, and the
 * response has no id.
 *
 * @throws STREAM_DOES_NOT_EXIST for a stream that is hidden from the bot
 * @throws BAD_REQUEST for a payload that doesn't fit the type of event
 */
export const receiveGitlab = action(
  {
    name: 'receiveGitlab',
    summary: 'Receive an event of GitLab',
    params: v.object({
      ...placeParams,
      event: described(v.nullish(text), 'What happened, as GitLab names it.'),
      payload,
    }),
    result: v.strictObject({ id: v.exactOptional(id) }),
    headers: { event: 'x-gitlab-event' },
    ...receiving,
  },
  (caller, { event, payload, ...place }) =>
    announceEvent(caller, place, gitlabEvents, requireEvent(event, 'X-Gitlab-Event'), payload),
)
