import { displayTopicName } from '../../kernel/base/topic-name.ts'
import type { User } from '../../kernel/user.ts'
import { shownAvatarUrl } from '../../users/avatars/avatar-url.ts'
import { seesEmail } from '../../users/email.ts'
import type { UnknownPerson } from '../../users/unknown-user.ts'
import type { QueueOptions } from '../log/queues.ts'
import type { EventType, LoggedEvent, LoggedType } from '../types/table.ts'
import { asLogged, type EventVariant, eventVariant } from './variant.ts'

/** The reader of an event. */
export interface EventReader {
  user: User
  /** Users hidden from the reader, by id. There are none, except for guests whom the organization limits. */
  unknown: ReadonlyMap<number, UnknownPerson>
  /** Base URL under which they reach the server. */
  origin: string
}

type Rules = {
  readonly [T in LoggedType]?: (
    event: LoggedEvent<T>,
    options: QueueOptions,
    reader: EventReader,
  ) => readonly EventVariant[]
}

/** Events that differ between readers. All others are sent as logged. */
const rules: Rules = {
  delete_message(event, { capabilities }) {
    const { variant, topic } = topicNames(capabilities)
    const { message_ids, ...rest } = event
    const place = () => (event.topic === undefined ? rest : { ...rest, topic: topic(event.topic) })
    if (capabilities.bulk_message_deletion) {
      return [eventVariant('delete_message', variant, () => ({ ...place(), message_ids }))]
    }
    return message_ids.map((message_id, i) =>
      eventVariant('delete_message', `${variant} ${i}`, () => ({ ...place(), message_id }), message_ids.length - 1 - i),
    )
  },

  update_message(event, { capabilities }) {
    const { variant, topic } = topicNames(capabilities)
    const names = () => ({
      ...(event.orig_subject !== undefined && { orig_subject: topic(event.orig_subject) }),
      ...(event.subject !== undefined && { subject: topic(event.subject) }),
    })
    return [eventVariant('update_message', variant, () => ({ ...event, ...names() }))]
  },

  update_message_flags(event, { capabilities }) {
    if (event.op !== 'remove' || !event.message_details) return asLogged(event)
    const { variant, topic } = topicNames(capabilities)
    const details = Object.entries(event.message_details)
    const named = () =>
      details.map(([id, detail]) => [id, detail.type === 'stream' ? { ...detail, topic: topic(detail.topic) } : detail])
    return [
      eventVariant('update_message_flags', variant, () => ({ ...event, message_details: Object.fromEntries(named()) })),
    ]
  },

  // Other clients wouldn't know it.
  pinned_messages(event, { capabilities, event_types }) {
    return capabilities.pinned_messages || event_types?.includes('pinned_messages') ? asLogged(event) : []
  },

  typing(event, { capabilities }) {
    const { stream_id, topic: name } = event
    if (stream_id === undefined || name === undefined) return asLogged(event)
    if (!capabilities.stream_typing_notifications) return []
    const { variant, topic } = topicNames(capabilities)
    return [eventVariant('typing', variant, () => ({ ...event, topic: topic(name) }))]
  },

  typing_edit_message(event, { capabilities }) {
    const { recipient } = event
    if (recipient.type !== 'channel') return asLogged(event)
    const { variant, topic } = topicNames(capabilities)
    const named = () => ({ ...event, recipient: { ...recipient, topic: topic(recipient.topic) } })
    return [eventVariant('typing_edit_message', variant, named)]
  },

  stream(event, { capabilities }) {
    const { archived_channels } = capabilities
    if (event.op === 'delete' && event.were_archived) {
      const { were_archived: _, ...rest } = event
      return archived_channels ? [eventVariant('stream', 'archived', () => rest)] : []
    }
    if (event.op === 'update' && event.stream) {
      const { stream, ...rest } = event
      if (archived_channels) return [eventVariant('stream', 'archived', () => rest)]
      const { type, stream_id, value } = event
      const older = () =>
        value === true
          ? ({ type, op: 'delete', stream_ids: [stream_id], streams: [{ stream_id }] } as const)
          : ({ type, op: 'create', streams: [stream] } as const)
      return [eventVariant('stream', 'in use', older)]
    }
    if (event.op !== 'create' || archived_channels) return asLogged(event)
    const streams = event.streams.filter((stream) => !stream.is_archived)
    if (streams.length === event.streams.length) return asLogged(event)
    return streams.length === 0 ? [] : [eventVariant('stream', 'in use', () => ({ ...event, streams }))]
  },

  user_topic({ muted_topics, ...event }, { capabilities }) {
    const { variant, topic } = topicNames(capabilities)
    // Clients that don't know other policies get the list of muted topics.
    const policy = eventVariant('user_topic', variant, () => ({ ...event, topic_name: topic(event.topic_name) }))
    if (!muted_topics) return [policy]
    const muted = () => muted_topics.map(([stream, name, at]) => [stream, topic(name), at] as const)
    return [
      eventVariant('muted_topics', `muted ${variant}`, () => ({ type: 'muted_topics', muted_topics: muted() }), 1),
      policy,
    ]
  },

  subscription(logged, { include_subscribers, capabilities }) {
    const { was_archived, ...event } = { was_archived: undefined, ...logged }
    if (was_archived && capabilities.archived_channels) return []
    if (event.op === 'update' && event.property === 'is_muted') {
      // The older form of is_muted.
      const older = () => ({ ...event, property: 'in_home_view', value: !event.value }) as const
      return [eventVariant('subscription', 'in_home_view', older, 1), ...asLogged(event)]
    }
    if (event.op !== 'add' || include_subscribers) return asLogged(event)
    const alone = () => event.subscriptions.map(({ subscribers, ...rest }) => rest)
    return [eventVariant('subscription', 'alone', () => ({ ...event, subscriptions: alone() }))]
  },

  realm_user(event, { client_gravatar, capabilities }, { user }) {
    if (event.op === 'remove') return asLogged(event)
    if (event.op === 'add' && event.is_unknown && capabilities.user_list_incomplete) return []
    const { person, email_shown_to } = event
    const hidden = email_shown_to !== undefined && !seesEmail(user, { id: person.user_id, email_shown_to })
    const gravatar = 'avatar_url' in person && shownAvatarUrl(person.avatar_url ?? '', client_gravatar) === null
    // The parts that don't depend on the reader are as logged.
    const own = {
      ...(hidden && 'delivery_email' in person && { delivery_email: null }),
      ...(gravatar && { avatar_url: null, ...('avatar_url_medium' in person && { avatar_url_medium: null }) }),
    }
    const make = () => ({ type: 'realm_user', op: event.op, person: { ...person, ...own } })
    // TypeScript can't tell that the members belong to this person.
    return [eventVariant('realm_user', `${hidden} ${gravatar}`, make as never)]
  },

  realm_emoji({ changed, ...event }, { capabilities }) {
    const emoji = event.realm_emoji[changed]
    if (!capabilities.individual_emoji_changes || !emoji) return [eventVariant('realm_emoji', 'all', () => event)]
    const { type } = event
    const { id: emoji_id, deactivated } = emoji
    const one = () =>
      deactivated
        ? ({ type, op: 'update_one', emoji_id, data: { deactivated } } as const)
        : ({ type, op: 'add', emoji } as const)
    return [eventVariant('realm_emoji', 'one', one)]
  },

  realm_linkifiers(event, { capabilities }) {
    if (capabilities.linkifier_url_template) return asLogged(event)
    return [eventVariant('realm_linkifiers', 'none', () => ({ type: 'realm_linkifiers', realm_linkifiers: [] }))]
  },

  realm_export(event, _, { origin }) {
    // Logged without the address: archives are made without a request, and readers may have several.
    const exports = () => event.exports.map((one) => ({ ...one, export_url: withOrigin(origin, one.export_url) }))
    return [eventVariant('realm_export', origin, () => ({ ...event, exports: exports() }))]
  },

  user_group(event, { capabilities }) {
    if (event.op !== 'update') return asLogged(event)
    const { group, ...update } = event
    if (capabilities.include_deactivated_groups || update.data.deactivated === undefined) {
      return group ? [eventVariant('user_group', 'known', () => update)] : asLogged(event)
    }
    const { group_id } = event
    return group
      ? [eventVariant('user_group', 'back', () => ({ type: 'user_group', op: 'add', group }))]
      : [eventVariant('user_group', 'gone', () => ({ type: 'user_group', op: 'remove', group_id }))]
  },

  presence({ email, ...event }, { slim_presence, capabilities }) {
    if (capabilities.simplified_presence_events) {
      const { user_id, presence } = event
      const presences = { [user_id]: presence.slim }
      return [eventVariant('presence', 'simple', () => ({ type: 'presence', presences }))]
    }
    const { slim: _, ...legacy } = event.presence
    const make = () => ({ ...event, presence: legacy, ...(!slim_presence && { email }) })
    return [eventVariant('presence', slim_presence ? 'slim' : '', make)]
  },
}

/** Types that older clients get instead of another type, or in addition to it. */
export const olderForms: { readonly [T in LoggedType]?: readonly EventType[] } = {
  user_topic: ['muted_topics'],
}

/** Returns whether a reader's registered types include a form of this logged type. */
export const mayWant = ({ event_types }: QueueOptions, type: LoggedType): boolean =>
  event_types === null ||
  event_types.includes(type) ||
  olderForms[type]?.some((older) => event_types.includes(older)) === true

/** Returns an event for a reader with these options: one event, several in an older form, or none. */
export function variantsOf<T extends LoggedType>(
  event: LoggedEvent<T>,
  options: QueueOptions,
  reader: EventReader,
): readonly EventVariant[] {
  // TypeScript can't tell that the rule belongs to the event's type.
  const rule = rules[event.type] as Rules[T]
  return rule ? rule(event, options, reader) : asLogged(event)
}

const withOrigin = (origin: string, path: string | null) => (path?.startsWith('/') ? origin + path : path)

/** Returns topic names for a client. Clients that don't know empty names get a display name. */
function topicNames(capabilities: QueueOptions['capabilities']) {
  const empty = capabilities.empty_topic_name === true
  return {
    variant: empty ? 'empty' : 'named',
    topic: (name: string): string => displayTopicName(name, empty),
  }
}
