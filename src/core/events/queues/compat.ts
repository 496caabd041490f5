import { displayTopicName } from '../../kernel/base/topic-name.ts'
import type { User } from '../../kernel/user.ts'
import { shownAvatarUrl } from '../../users/avatars/avatar-url.ts'
import { seesEmail } from '../../users/email.ts'
import type { UnknownPerson } from '../../users/unknown-user.ts'
import type { QueueOptions } from '../log/queues.ts'
import type { LoggedEvent, LoggedType } from '../types/table.ts'
import { legacySetting } from './legacy-settings.ts'
import { asLogged, type EventVariant, eventVariant } from './variant.ts'

/** Who reads. */
export interface EventReader {
  user: User
  /** Users of whom they may know nothing, by id: none, except to guests where the organization limits them. */
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

/** Events that differ between readers. All others are sent as they were logged. */
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

  typing(event, { capabilities }) {
    const { stream_id, topic: name } = event
    if (stream_id === undefined || name === undefined) return asLogged(event)
    if (!capabilities.stream_typing_notifications) return []
    const { variant, topic } = topicNames(capabilities)
    return [eventVariant('typing', variant, () => ({ ...event, topic: topic(name) }))]
  },

  stream(event, { capabilities }) {
    const { archived_channels } = capabilities
    if (event.op === 'delete' && event.were_archived) {
      const { were_archived: _, ...rest } = event
      return archived_channels ? [eventVariant('stream', 'archived', () => rest)] : []
    }
    if (event.op !== 'create' || archived_channels) return asLogged(event)
    const streams = event.streams.filter((stream) => !stream.is_archived)
    if (streams.length === event.streams.length) return asLogged(event)
    return streams.length === 0 ? [] : [eventVariant('stream', 'in use', () => ({ ...event, streams }))]
  },

  user_topic({ muted_topics, ...event }, { capabilities }) {
    const { variant, topic } = topicNames(capabilities)
    // Clients that know no other policies get the list of muted topics.
    const policy = eventVariant('user_topic', variant, () => ({ ...event, topic_name: topic(event.topic_name) }))
    if (!muted_topics) return [policy]
    const muted = () => muted_topics.map(([stream, name, at]) => [stream, topic(name), at] as const)
    return [
      eventVariant('muted_topics', `muted ${variant}`, () => ({ type: 'muted_topics', muted_topics: muted() }), 1),
      policy,
    ]
  },

  user_settings(event, { capabilities }, { user }) {
    if (capabilities.user_settings_object) return asLogged(event)
    const legacy = legacySetting(event, user)
    return legacy ? [eventVariant(legacy.type, legacy.type, () => legacy, 1), ...asLogged(event)] : asLogged(event)
  },

  subscription(event, { include_subscribers }) {
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
    // What does not depend on the reader is as it was logged.
    const own = {
      ...(hidden && 'delivery_email' in person && { delivery_email: null }),
      ...(gravatar && { avatar_url: null, ...('avatar_url_medium' in person && { avatar_url_medium: null }) }),
    }
    const make = () => ({ type: 'realm_user', op: event.op, person: { ...person, ...own } })
    // The compiler cannot see that the members are the person's own.
    return [eventVariant('realm_user', `${hidden} ${gravatar}`, make as never)]
  },

  reaction(event, _, { unknown }) {
    const person = unknown.get(event.user_id)
    if (!person) return asLogged(event)
    const { full_name, email } = person
    return [eventVariant('reaction', 'unknown', () => ({ ...event, user: { ...event.user, full_name, email } }))]
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
    const ended = event.op === 'update' && event.data.deactivated === true
    if (!ended || capabilities.include_deactivated_groups) return asLogged(event)
    return [eventVariant('user_group', 'gone', () => ({ type: 'user_group', op: 'remove', group_id: event.group_id }))]
  },

  presence({ email, ...event }, { slim_presence }) {
    const make = () => (slim_presence ? event : { ...event, email })
    return [eventVariant('presence', slim_presence ? 'slim' : '', make)]
  },
}

/** An event as a reader with these options gets it: one event, several in an older form, or none. */
export function variantsOf<T extends LoggedType>(
  event: LoggedEvent<T>,
  options: QueueOptions,
  reader: EventReader,
): readonly EventVariant[] {
  // The rule is that of the event's type, which the compiler cannot verify.
  const rule = rules[event.type] as Rules[T]
  return rule ? rule(event, options, reader) : asLogged(event)
}

const withOrigin = (origin: string, path: string | null) => (path?.startsWith('/') ? origin + path : path)

/** Topic names as a client shows them: clients that do not know empty names get a display name. */
function topicNames(capabilities: QueueOptions['capabilities']) {
  const empty = capabilities.empty_topic_name === true
  return {
    variant: empty ? 'empty' : 'named',
    topic: (name: string): string => displayTopicName(name, empty),
  }
}
