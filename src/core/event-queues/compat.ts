import type { QueueOptions } from '../event-log/queues.ts'
import type { ChatEvent, EventType, LoggedEvent, LoggedType } from '../event-log/types/table.ts'
import { EMPTY_TOPIC_DISPLAY_NAME } from '../limits.ts'
import type { ReadonlyDeep } from '../shapes/values.ts'
import type { User } from '../user.ts'
import { GRAVATAR } from '../users/view.ts'
import { legacySetting } from './legacy-settings.ts'

/** One rendering of an event, for the readers who understand it. */
export interface Variant {
  type: EventType
  /** Readers with the same key get the same text. */
  key: string
  /** How many positions before the event's own its id is: where one event is several to a reader, each has its id. */
  idOffset?: number
  make(): object
}

/** An event as a reader gets it, without what is added for each: its id, and an edited message's flags. */
type Body<T extends EventType> = WithoutOwn<ReadonlyDeep<ChatEvent<T>>, T>
type WithoutOwn<E, T> = E extends unknown ? Omit<E, 'id' | (T extends 'update_message' ? 'flags' : never)> : never

const variant = <T extends EventType>(type: T, key: string, make: () => Body<T>, idOffset = 0): Variant => ({
  type,
  key,
  make,
  idOffset,
})
const asLogged = (event: LoggedEvent): Variant[] => [{ type: event.type, key: '', make: () => event }]

type Rules = {
  readonly [T in LoggedType]?: (event: LoggedEvent<T>, options: QueueOptions, user: User) => readonly Variant[]
}

/** Events that are not the same to every reader. All others go out as they were logged. */
const rules: Rules = {
  delete_message(event, { capabilities }) {
    const { key, topic } = topicNames(capabilities)
    const { message_ids, ...rest } = event
    const place = () => (event.topic === undefined ? rest : { ...rest, topic: topic(event.topic) })
    if (capabilities.bulk_message_deletion) {
      return [variant('delete_message', key, () => ({ ...place(), message_ids }))]
    }
    return message_ids.map((message_id, i) =>
      variant('delete_message', `${key} ${i}`, () => ({ ...place(), message_id }), message_ids.length - 1 - i),
    )
  },

  update_message(event, { capabilities }) {
    const { key, topic } = topicNames(capabilities)
    const names = () => ({
      ...(event.orig_subject !== undefined && { orig_subject: topic(event.orig_subject) }),
      ...(event.subject !== undefined && { subject: topic(event.subject) }),
    })
    return [variant('update_message', key, () => ({ ...event, ...names() }))]
  },

  update_message_flags(event, { capabilities }) {
    if (event.op !== 'remove' || !event.message_details) return asLogged(event)
    const { key, topic } = topicNames(capabilities)
    const details = Object.entries(event.message_details)
    const named = () =>
      details.map(([id, detail]) => [id, detail.type === 'stream' ? { ...detail, topic: topic(detail.topic) } : detail])
    return [variant('update_message_flags', key, () => ({ ...event, message_details: Object.fromEntries(named()) }))]
  },

  typing(event, { capabilities }) {
    const { stream_id, topic: name } = event
    if (stream_id === undefined || name === undefined) return asLogged(event)
    if (!capabilities.stream_typing_notifications) return []
    const { key, topic } = topicNames(capabilities)
    return [variant('typing', key, () => ({ ...event, topic: topic(name) }))]
  },

  user_topic({ muted_topics, ...event }, { capabilities }) {
    const { key, topic } = topicNames(capabilities)
    // The list of muted topics is what clients knew before there were other policies.
    const muted = () => muted_topics.map(([stream, name, at]) => [stream, topic(name), at] as const)
    return [
      variant('muted_topics', `muted ${key}`, () => ({ type: 'muted_topics', muted_topics: muted() }), 1),
      variant('user_topic', key, () => ({ ...event, topic_name: topic(event.topic_name) })),
    ]
  },

  user_settings(event, { capabilities }, user) {
    if (capabilities.user_settings_object) return asLogged(event)
    const legacy = legacySetting(event, user)
    return legacy ? [variant(legacy.type, legacy.type, () => legacy, 1), ...asLogged(event)] : asLogged(event)
  },

  subscription(event, { include_subscribers }) {
    if (event.op === 'update' && event.property === 'is_muted') {
      // What clients knew before is_muted.
      const older = () => ({ ...event, property: 'in_home_view', value: !event.value }) as const
      return [variant('subscription', 'in_home_view', older, 1), ...asLogged(event)]
    }
    if (event.op !== 'add' || include_subscribers) return asLogged(event)
    const alone = () => event.subscriptions.map(({ subscribers, ...rest }) => rest)
    return [variant('subscription', 'alone', () => ({ ...event, subscriptions: alone() }))]
  },

  realm_user(event, { client_gravatar }) {
    if (event.op === 'update') {
      // The role before is for reading the log.
      const { role_before, ...rest } = event
      return role_before === undefined ? asLogged(event) : [variant('realm_user', '', () => rest)]
    }
    if (!client_gravatar || !event.person.avatar_url?.startsWith(GRAVATAR)) return asLogged(event)
    return [variant('realm_user', 'gravatar', () => ({ ...event, person: { ...event.person, avatar_url: null } }))]
  },

  user_group(event, { capabilities }) {
    const ended = event.op === 'update' && event.data.deactivated === true
    if (!ended || capabilities.include_deactivated_groups) return asLogged(event)
    return [variant('user_group', 'gone', () => ({ type: 'user_group', op: 'remove', group_id: event.group_id }))]
  },

  presence({ email, ...event }, { slim_presence }) {
    const make = () => (slim_presence ? event : { ...event, email })
    return [variant('presence', slim_presence ? 'slim' : '', make)]
  },
}

/** An event as a reader with these options gets it: once, several times in an older form, or not at all. */
export function variantsOf<T extends LoggedType>(
  event: LoggedEvent<T>,
  options: QueueOptions,
  user: User,
): readonly Variant[] {
  // The rule is the event's own: the compiler cannot see that the two go together.
  const rule = rules[event.type] as Rules[T]
  return rule ? rule(event, options, user) : asLogged(event)
}

/** Topics as a client shows them: those that know no empty names get the one that stands for it. */
function topicNames(capabilities: QueueOptions['capabilities']) {
  const empty = capabilities.empty_topic_name === true
  return {
    key: empty ? 'empty' : 'named',
    topic: (name: string): string => (name === '' && !empty ? EMPTY_TOPIC_DISPLAY_NAME : name),
  }
}
