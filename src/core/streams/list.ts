import * as v from 'valibot'
import { isUnset } from '../../storage/index.ts'
import { action } from '../action.ts'
import type { Caller } from '../context.ts'
import { badRequest, mustBeAdministrator } from '../errors.ts'
import { bool, id, text } from '../fields.ts'
import { isAdministrator, isGuest } from '../roles.ts'
import { accessStream, findStreamByName } from './access.ts'
import { defaultStreamIds } from './default-streams.ts'
import { streamViews } from './view.ts'

/** GET /streams */
export const listStreams = action(
  {
    summary: 'Get all streams',
    params: v.object({
      include_public: v.nullish(bool, true),
      include_web_public: v.nullish(bool, false),
      include_subscribed: v.nullish(bool, true),
      include_all_active: v.nullish(bool, false),
      include_all: v.nullish(bool, false),
      include_default: v.nullish(bool, false),
      include_owner_subscribed: v.nullish(bool, false),
      exclude_archived: v.nullish(bool, true),
    }),
  },
  async (caller, requested) => {
    const all = requested.include_all_active || requested.include_all
    if (requested.include_all_active && !isAdministrator(caller.user)) throw mustBeAdministrator()
    const streams = await caller.db
      .selectFrom('stream')
      .selectAll()
      .where('is_archived', '=', isUnset)
      .where((eb) => {
        if (all && isAdministrator(caller.user)) return eb.lit(true)
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
          ...((requested.include_public || all) && !isGuest(caller.user) ? [eb('invite_only', '=', 0)] : []),
          ...(requested.include_web_public || requested.include_public || all ? [eb('is_web_public', '=', 1)] : []),
          ...(requested.include_subscribed || all ? [tied(caller.user.id)] : []),
          ...(requested.include_owner_subscribed && caller.user.bot_owner_id ? [tied(caller.user.bot_owner_id)] : []),
          eb.lit(false),
        ])
      })
      .orderBy('name_key')
      .execute()
    const views = await streamViews(caller, streams)
    if (!requested.include_default) return { streams: views }
    const defaults = new Set(await defaultStreamIds(caller))
    return { streams: views.map((view) => ({ ...view, is_default: defaults.has(view.stream_id) })) }
  },
)

/** GET /streams/{stream_id} */
export const getStream = action(
  { summary: 'Get a stream', params: v.object({ stream_id: id }) },
  async (caller, { stream_id }) => {
    const { subscribed: _, ...stream } = await accessStream(caller, stream_id)
    return { stream: (await streamViews(caller, [stream]))[0] }
  },
)

/** GET /get_stream_id */
export const getStreamId = action(
  { summary: 'Get the id of a stream', params: v.object({ stream: text }) },
  async (caller: Caller, { stream: name }) => {
    const stream = await findStreamByName(caller, name)
    if (!stream) throw badRequest(`Invalid stream name '${name}'`)
    return { stream_id: stream.id }
  },
)
