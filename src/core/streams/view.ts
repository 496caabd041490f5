import type { Selectable } from 'kysely'
import type { SubscriptionTable } from '../../storage/index.ts'
import { type GroupGraph, groupGraph, groupSettingView } from '../access/group-graph.ts'
import { type OpenJson, openJson } from '../kernel/base/kept-json.ts'
import type { Chat } from '../kernel/chat.ts'
import type { Caller } from '../kernel/context.ts'
import { servedHtml } from '../kernel/public-url.ts'
import { pacer } from '../kernel/slices.ts'
import type { StreamView, SubscriptionSettingsView } from '../shapes/stream.ts'
import type { Stream } from './access.ts'
import { type StreamSettingName, type StreamSettings, streamSettingNames, streamSettings } from './settings.ts'

type Permissions = Record<StreamSettingName, ReturnType<typeof groupSettingView>>

/** Parsed settings, because most streams have the same ones as most others. */
const known = new WeakMap<GroupGraph, Map<string, Permissions>>()

function permissionsOf({ settings }: Stream, graph: GroupGraph): Permissions {
  const read = known.get(graph) ?? new Map<string, Permissions>()
  known.set(graph, read)
  const same = read.get(settings)
  if (same) return same
  const stored = JSON.parse(settings) as StreamSettings
  const permissions = Object.fromEntries(
    streamSettingNames.map((name) => [name, groupSettingView(graph, stored[name] ?? streamSettings[name].default)]),
  ) as Permissions
  read.set(settings, permissions)
  return permissions
}

/** A stream as the API shows it at the claimed feature level. */
function streamView(chat: Chat, stream: Stream, graph: GroupGraph): StreamView {
  const permissions = permissionsOf(stream, graph)
  const announcements = permissions.can_send_message_group === graph.systemId.get('role:administrators')
  return {
    stream_id: stream.id,
    name: stream.name,
    description: stream.description,
    rendered_description: servedHtml(chat, stream.rendered_description),
    date_created: stream.date_created,
    creator_id: stream.creator_id,
    first_message_id: stream.first_message_id,
    folder_id: stream.folder_id,
    history_public_to_subscribers: stream.history_public_to_subscribers === 1,
    invite_only: stream.invite_only === 1,
    is_announcement_only: announcements,
    is_archived: stream.is_archived === 1,
    is_recently_active: stream.is_recently_active === 1,
    is_web_public: stream.is_web_public === 1,
    message_retention_days: stream.message_retention_days,
    stream_post_policy: announcements ? 2 : 1,
    stream_weekly_traffic: null,
    subscriber_count: stream.subscriber_count,
    topics_policy: stream.topics_policy,
    slow_mode_seconds: stream.slow_mode_seconds,
    ...permissions,
  }
}

/** Returns what an event says of streams to users who no longer see them. */
export const onlyIds = (stream_ids: readonly number[]): { stream_id: number }[] =>
  stream_ids.map((stream_id) => ({ stream_id }))

export async function streamViews(caller: Caller, streams: readonly Stream[]): Promise<StreamView[]> {
  const graph = await groupGraph.get(caller)
  const turn = pacer(caller)
  const views: StreamView[] = []
  for (const stream of streams) {
    views.push(streamView(caller.chat, stream, graph))
    await turn()
  }
  return views
}

/** The personal half of a subscription. */
export const subscriptionSettingsView = (
  row: Omit<Selectable<SubscriptionTable>, 'user_id' | 'stream_id' | 'is_active'>,
): SubscriptionSettingsView => ({
  color: row.color,
  is_muted: row.is_muted === 1,
  in_home_view: row.is_muted === 0,
  pin_to_top: row.pin_to_top === 1,
  desktop_notifications: nullableFlag(row.desktop_notifications),
  audible_notifications: nullableFlag(row.audible_notifications),
  push_notifications: nullableFlag(row.push_notifications),
  email_notifications: nullableFlag(row.email_notifications),
  wildcard_mentions_notify: nullableFlag(row.wildcard_mentions_notify),
})

const nullableFlag = (value: number | null): boolean | null => (value === null ? null : value === 1)

/** Cached serializations, dropped together with the rows and groups they were made from. */
const made = new WeakMap<readonly Stream[], WeakMap<GroupGraph, Map<number, OpenJson>>>()

/**
 * Returns a function that returns the text of one of these streams, made once for all readers until a stream or a
 * group changes.
 */
export async function streamTexts(reader: Caller, streams: readonly Stream[]): Promise<(stream: Stream) => OpenJson> {
  const graph = await groupGraph.get(reader)
  const byGraph = made.get(streams) ?? new WeakMap<GroupGraph, Map<number, OpenJson>>()
  made.set(streams, byGraph)
  const texts = byGraph.get(graph) ?? new Map<number, OpenJson>()
  byGraph.set(graph, texts)
  return (stream) => {
    const known = texts.get(stream.id)
    if (known) return known
    const text = openJson(streamView(reader.chat, stream, graph))
    texts.set(stream.id, text)
    return text
  }
}
