import * as v from 'valibot'
import { admitSpectators } from '../../access/spectators.ts'
import { requireKey } from '../../accounts/keys.ts'
import { requireTerms } from '../../accounts/terms.ts'
import { type BotProfile, botProfile } from '../../bots/profiles/profile.ts'
import { action } from '../../kernel/action.ts'
import { oneOfFew } from '../../kernel/base/few-at-once.ts'
import { answerOf } from '../../kernel/base/kept-json.ts'
import {
  DEFAULT_QUEUE_LIFESPAN_SECONDS,
  MAX_QUEUE_LIFESPAN_SECONDS,
  MOBILE_QUEUE_LIFESPAN_SECONDS,
} from '../../kernel/base/limits.ts'
import { type Caller, currentUser, inSnapshot, onBehalfOf } from '../../kernel/context.ts'
import { notPermitted } from '../../kernel/errors.ts'
import { bool, count, described, integer, text } from '../../kernel/fields.ts'
import { isBot, isGuest } from '../../kernel/roles.ts'
import { isWriting } from '../../kernel/slices.ts'
import { isSpectator } from '../../kernel/spectator.ts'
import { newestUserId } from '../../kernel/user.ts'
import { narrow } from '../../narrow/operators/terms.ts'
import { includeSubscribers, subscribersSentence } from '../../streams/subscribers.ts'
import { busOf } from '../log/bus.ts'
import { headOfLog } from '../log/log.ts'
import { createQueue, requireFreeQueue } from '../log/queue-rows.ts'
import type { QueueOptions } from '../log/queues.ts'
import { fetchState, registerState } from './initial-state.ts'
import { checkQueueNarrow } from './narrow-filter.ts'

const names = v.nullish(v.array(text))

const params = v.object({
  event_types: described(names, 'Types of events to receive. Defaults to all.'),
  fetch_event_types: described(names, 'Parts of the state to return. Defaults to the parts in `event_types`.'),
  narrow: described(v.nullish(narrow, []), 'Terms that a message must match to be received.'),
  all_public_streams: described(
    v.nullish(bool),
    'Whether to receive messages from all public channels. Not available to guests.',
  ),
  apply_markdown: described(
    v.nullish(bool, false),
    'Whether to return content as HTML instead of the original Markdown.',
  ),
  client_gravatar: described(
    v.nullish(bool, true),
    'Whether to return null for avatar URLs that the client can compute itself.',
  ),
  slim_presence: described(v.nullish(bool, false), 'Whether to return presences in the newer format, by user ID.'),
  presence_history_limit_days: described(
    v.nullish(count),
    'Maximum age of returned presences in days. Unlimited by default.',
  ),
  include_subscribers: described(includeSubscribers, subscribersSentence),
  client_capabilities: described(
    v.nullish(v.record(text, v.unknown()), {}),
    'Capabilities of the client, such as `bulk_message_deletion`.',
  ),
  queue_lifespan_secs: described(v.nullish(integer), 'Seconds until the queue expires if no client reads it.'),
  idle_queue_timeout: described(
    v.nullish(v.union([integer, text])),
    'Newer form of `queue_lifespan_secs`: seconds, or "mobile" for apps that spend long periods in the background.',
  ),
})

/** Null for people without an account. They come over HTTP, so for callers in the process it is always a string. */
const queueId = v.nullable(v.string()) as v.GenericSchema<string | null, string>

/**
 * POST /register: returns the current state, and creates a queue of all later events. People without an account get
 * the public part of the state, and no queue.
 *
 * @throws BAD_NARROW for a narrow that can't filter events
 * @throws TERMS_NOT_ACCEPTED for a browser's session whose account must accept the organization's terms first
 * @throws BAD_REQUEST for a guest who asks for all public streams
 * @example
 * const { queue_id, last_event_id, realm_users } = await register(caller, { event_types: ['message', 'realm_user'] })
 */
export const register = action(
  {
    name: 'register',
    summary: 'Register an event queue',
    errors: ['BAD_NARROW', 'TERMS_NOT_ACCEPTED'],
    spectators: admitSpectators,
    params,
    result: v.strictObject({
      queue_id: queueId,
      last_event_id: integer,
      /** How long the queue waits for a reader. */
      idle_queue_timeout_secs: v.exactOptional(integer),
      ...registerState.entries,
    }),
    // The tokens of outgoing webhooks, which their owners and administrators see.
    secret: ({ realm_bots = [] }) => realm_bots.some((bot) => bot.services.length > 0),
  },
  // Inside a write, only the database may be awaited.
  (caller, requested) =>
    isWriting(caller) ? begin(caller, requested) : oneOfFew(caller.chat, () => begin(caller, requested)),
)

async function begin(caller: Caller, requested: v.InferOutput<typeof params>) {
  await requireTerms(caller)
  const options: QueueOptions = {
    event_types: requested.event_types ?? null,
    narrow: await checkQueueNarrow(caller, await narrowFor(caller, requested.narrow)),
    all_public_streams:
      requested.all_public_streams ?? (await ownDefaults(caller))?.default_all_public_streams ?? false,
    apply_markdown: requested.apply_markdown,
    client_gravatar: requested.client_gravatar,
    slim_presence: requested.slim_presence,
    include_subscribers: requested.include_subscribers,
    ...(requested.presence_history_limit_days != null && {
      presence_history_limit_days: requested.presence_history_limit_days,
    }),
    capabilities: Object.fromEntries(
      Object.entries(requested.client_capabilities).filter(
        (entry): entry is [string, boolean] => typeof entry[1] === 'boolean',
      ),
    ),
  }
  const lifespan = lifespanOf(requested)
  const fetch = requested.fetch_event_types ?? requested.event_types ?? null
  if (isSpectator(caller.user)) return publicState(caller, options, fetch)
  await requireFreeQueue(caller)
  const bus = busOf(caller.chat)
  // Keeps transient events for the queue from here. Earlier ones are not in the log.
  bus.watch()
  const passed = bus.head()
  const { logged, ...state } = await inSnapshot(caller, (reader) => readState(reader, options, fetch), {
    rows: await expectedRows(caller, fetch),
  })
  const last_event_id = Math.max(logged, passed)
  // Events logged since then are still in the log, which keeps them for minutes even without a queue.
  const queue_id = await caller.write(async (tx) => {
    // A queue of a key that was just revoked would never end.
    await requireKey(tx)
    if (options.all_public_streams && isGuest(tx.user)) throw notPermitted('User not authorized for this query')
    return createQueue(tx, options, last_event_id, lifespan)
  })
  return answerOf({ queue_id, last_event_id, idle_queue_timeout_secs: lifespan, ...state })
}

/** Returns how long the queue waits for a reader, in seconds. */
function lifespanOf({ queue_lifespan_secs, idle_queue_timeout: timeout }: v.InferOutput<typeof params>): number {
  const mobile = timeout === 'mobile' ? MOBILE_QUEUE_LIFESPAN_SECONDS : undefined
  const asked = queue_lifespan_secs ?? mobile ?? (typeof timeout === 'number' ? timeout : undefined)
  return Math.min(Math.max(asked ?? DEFAULT_QUEUE_LIFESPAN_SECONDS, 1), MAX_QUEUE_LIFESPAN_SECONDS)
}

/** Returns the state for people without an account. Subscribers of streams aren't public. */
async function publicState(reader: Caller, options: QueueOptions, fetch: readonly string[] | null) {
  const shown = { ...options, include_subscribers: false }
  const rows = await expectedRows(reader, fetch)
  const state = await inSnapshot(reader, (each) => fetchState(each, shown, fetch), { rows })
  return answerOf({ queue_id: null, last_event_id: -1, ...state })
}

/** Returns the defaults that a bot's owner has set for its queues. */
async function ownDefaults(caller: Caller): Promise<BotProfile | undefined> {
  return isBot(caller.user) ? botProfile(caller, caller.user.id) : undefined
}

async function narrowFor(caller: Caller, requested: v.InferOutput<typeof narrow>) {
  const stream = requested.length === 0 && (await ownDefaults(caller))?.default_events_register_stream
  return stream ? v.parse(narrow, [{ operator: 'stream', operand: stream }]) : requested
}

/** Reads the state and its position in the log. The user is read at the same point in time. */
async function readState(reader: Caller, options: QueueOptions, fetch: readonly string[] | null) {
  const user = await currentUser(reader, reader.user.id)
  const logged = await headOfLog(reader.db)
  return { logged, ...(await fetchState({ ...onBehalfOf(reader, user), grant: reader.grant }, options, fetch)) }
}

/** Users and streams make up most of the state; some parts are always small. */
async function expectedRows({ db }: Caller, fetch: readonly string[] | null): Promise<number> {
  if (fetch?.length === 0) return 0
  const conversation = await db
    .selectFrom('conversation')
    .select('id')
    .orderBy('id', 'desc')
    .limit(1)
    .executeTakeFirst()
  return (await newestUserId(db)) + (conversation?.id ?? 0)
}
