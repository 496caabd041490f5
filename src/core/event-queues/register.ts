import * as v from 'valibot'
import { action } from '../action.ts'
import { onBehalfOf } from '../context.ts'
import { ChatError, notPermitted } from '../errors.ts'
import { position } from '../event-log/emit.ts'
import { createQueue, type QueueOptions } from '../event-log/queues.ts'
import { bool, integer, text } from '../fields.ts'
import { MOBILE_QUEUE_LIFESPAN_SECONDS } from '../limits.ts'
import { narrow } from '../narrow/operators/terms.ts'
import { isGuest } from '../roles.ts'
import { findUser } from '../user.ts'
import { fetchState } from './initial-state.ts'
import { checkQueueNarrow } from './narrow-filter.ts'

const names = v.nullish(v.array(text))

/** POST /register: the state as it is, and a queue of all that happens from that moment. */
export const register = action(
  {
    summary: 'Register an event queue',
    errors: ['BAD_NARROW'],
    params: v.object({
      event_types: names,
      fetch_event_types: names,
      narrow: v.nullish(narrow, []),
      all_public_streams: v.nullish(bool, false),
      apply_markdown: v.nullish(bool, false),
      client_gravatar: v.nullish(bool, true),
      slim_presence: v.nullish(bool, false),
      include_subscribers: v.nullish(bool, false),
      client_capabilities: v.nullish(v.record(text, v.unknown()), {}),
      /** How long the queue waits for a reader, in seconds. */
      queue_lifespan_secs: v.nullish(integer),
      /** What later clients say instead: seconds, or "mobile" for the long waits of an app in the background. */
      idle_queue_timeout: v.nullish(v.union([integer, text])),
    }),
  },
  async (caller, requested) => {
    const options: QueueOptions = {
      event_types: requested.event_types ?? null,
      narrow: await checkQueueNarrow(caller, requested.narrow ?? []),
      all_public_streams: requested.all_public_streams ?? false,
      apply_markdown: requested.apply_markdown ?? false,
      client_gravatar: requested.client_gravatar ?? true,
      slim_presence: requested.slim_presence ?? false,
      include_subscribers: requested.include_subscribers ?? false,
      capabilities: Object.fromEntries(
        Object.entries(requested.client_capabilities ?? {}).filter(
          (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
        ),
      ),
    }
    const { idle_queue_timeout: timeout } = requested
    const lifespan =
      timeout === 'mobile' ? MOBILE_QUEUE_LIFESPAN_SECONDS : typeof timeout === 'number' ? timeout : undefined
    return caller.write(async (write) => {
      // Who asks is read again: what was changed since they signed in is in the state, so it is not in the events.
      const user = await findUser(write.db, caller.user.id)
      if (!user?.is_active) throw new ChatError('INVALID_API_KEY', 'Invalid API key')
      if (options.all_public_streams && isGuest(user)) throw notPermitted('User not authorized for this query')
      const tx = onBehalfOf(write, user)
      const last_event_id = await position(tx)
      const queue_id = await createQueue(tx, options, last_event_id, requested.queue_lifespan_secs ?? lifespan)
      const state = await fetchState(tx, options, requested.fetch_event_types ?? requested.event_types ?? null)
      return { queue_id, last_event_id, ...state }
    })
  },
)
