import * as v from 'valibot'
import { isUnset } from '../../storage/index.ts'
import { action } from '../kernel/action.ts'
import { type Caller, inSnapshot } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { bool, described, id, text } from '../kernel/fields.ts'
import { isAdministrator, isGuest } from '../kernel/roles.ts'
import { streamShape } from '../shapes/stream.ts'
import { accessStreamToRead, findStreamByName, type Stream } from './access.ts'
import { defaultStreamIds } from './default-streams.ts'
import { streamViews } from './view.ts'

const listParams = v.object({
  include_public: described(v.nullish(bool, true), 'Include public channels.'),
  include_web_public: described(v.nullish(bool, false), 'Include channels that people without an account can read.'),
  include_subscribed: described(v.nullish(bool, true), 'Include channels that you are subscribed to.'),
  include_all_active: described(v.nullish(bool, false), 'Deprecated name of `include_all`.'),
  include_all: described(v.nullish(bool, false), 'Include all channels that you can see.'),
  include_can_access_content: described(v.nullish(bool, false), 'Include channels whose messages you can read.'),
  include_default: described(v.nullish(bool, false), 'Include `is_default` for each channel.'),
  include_owner_subscribed: described(
    v.nullish(bool, false),
    'For bots: include channels that the owner is subscribed to.',
  ),
  exclude_archived: described(v.nullish(bool, true), 'Leave out archived channels.'),
})

/**
 * GET /streams: lists streams.
 *
 * @throws USER_DEACTIVATED if the caller's account is deactivated
 * @example
 * const { streams } = await listStreams(caller)
 */
export const listStreams = action(
  {
    name: 'listStreams',
    summary: 'Get all channels',
    params: listParams,
    result: v.strictObject({
      streams: v.array(v.strictObject({ ...streamShape.entries, is_default: v.exactOptional(v.boolean()) })),
    }),
  },
  async (caller, requested) =>
    inSnapshot(caller, (reader) => listed(reader, requested), { rows: await newestStreamId(caller) }),
)

/** Returns the approximate number of streams. */
async function newestStreamId({ db }: Caller): Promise<number> {
  const row = await db.selectFrom('conversation').select('id').orderBy('id', 'desc').limit(1).executeTakeFirst()
  return row?.id ?? 0
}

type Requested = v.InferOutput<typeof listParams>

async function listed(reader: Caller, requested: Requested) {
  const views = await streamViews(reader, await findStreams(reader, requested))
  if (!requested.include_default) return { streams: views }
  const defaults = new Set(await defaultStreamIds(reader))
  return { streams: views.map((view) => ({ ...view, is_default: defaults.has(view.stream_id) })) }
}

/** Returns streams of these kinds that the reader may know of, by name. */
function findStreams({ db, user }: Caller, requested: Partial<Requested>): Promise<Stream[]> {
  const all = requested.include_all_active || requested.include_all
  const readable = all || requested.include_can_access_content
  return db
    .selectFrom('stream')
    .selectAll()
    .where((eb) => {
      if (requested.exclude_archived === false) return eb.lit(true)
      return eb('is_archived', '=', isUnset)
    })
    .where((eb) => {
      if (all && isAdministrator(user)) return eb.lit(true)
      const tied = (user_id: number) =>
        eb.exists(
          eb
            .selectFrom('subscription')
            .select('subscription.stream_id')
            .whereRef('subscription.stream_id', '=', 'stream.id')
            .where('subscription.user_id', '=', user_id)
            .where('subscription.is_active', '=', 1),
        )
      return eb.or([
        ...((requested.include_public || readable) && !isGuest(user) ? [eb('invite_only', '=', 0)] : []),
        ...(requested.include_web_public || requested.include_public || readable ? [eb('is_web_public', '=', 1)] : []),
        ...(requested.include_subscribed || readable ? [tied(user.id)] : []),
        ...(requested.include_owner_subscribed && user.bot_owner_id ? [tied(user.bot_owner_id)] : []),
        eb.lit(false),
      ])
    })
    .orderBy('name_key')
    .execute()
}

/**
 * GET /streams/{stream_id}: returns a stream.
 *
 * @throws BAD_REQUEST "Invalid stream ID" for an unknown or hidden stream
 */
export const getStream = action(
  {
    name: 'getStream',
    summary: 'Get a channel',
    params: v.object({ stream_id: described(id, 'ID of the channel.') }),
    result: v.strictObject({ stream: streamShape }),
  },
  async (caller, { stream_id }) => {
    const { subscribed: _, ...stream } = await accessStreamToRead(caller, stream_id)
    return { stream: (await streamViews(caller, [stream]))[0]! }
  },
)

/**
 * GET /get_stream_id: returns the id of a stream.
 *
 * @throws BAD_REQUEST "Invalid stream name"
 */
export const getStreamId = action(
  {
    name: 'getStreamId',
    summary: 'Get the ID of a channel',
    params: v.object({ stream: described(text, 'Name of the channel.') }),
    result: v.strictObject({ stream_id: id }),
  },
  async (caller: Caller, { stream: name }) => {
    const stream = await findStreamByName(caller, name)
    if (!stream) throw badRequest(`Invalid stream name '${name}'`)
    return { stream_id: stream.id }
  },
)
