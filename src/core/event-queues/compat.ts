import type { LoggedEvent } from '../event-log/log.ts'
import type { QueueOptions } from '../event-log/queues.ts'
import { displayTopicName } from '../topic-name.ts'
import type { User } from '../user.ts'
import { GRAVATAR } from '../users/view.ts'
import { legacySettingVariants } from './legacy-settings.ts'
import type { EventVariant } from './variant.ts'

// biome-ignore lint/suspicious/noExplicitAny: what was logged, in the shape its type has.
type Logged = any

interface CompatRule {
  variants(event: Logged, options: QueueOptions, user: User): EventVariant[]
}

/** Events that are not the same to every reader. All others go out as they were logged. */
export const rules: Readonly<Record<string, CompatRule>> = {
  delete_message: {
    variants(event, { capabilities }) {
      const { variant, topic } = topicNames(capabilities)
      const place = () => (event.topic === undefined ? {} : { topic: topic(event.topic) })
      if (capabilities.bulk_message_deletion) {
        return [{ type: event.type, variant, make: () => ({ ...event, ...place() }) }]
      }
      const { message_ids, ...rest } = event
      return message_ids.map((message_id: number, i: number) => ({
        type: event.type,
        variant: `${variant} ${i}`,
        idOffset: message_ids.length - 1 - i,
        make: () => ({ ...rest, message_id, ...place() }),
      }))
    },
  },

  update_message: {
    variants(event, { capabilities }) {
      const { variant, topic } = topicNames(capabilities)
      // Flags are added for each reader.
      const { flags, ...rest } = event
      const names = () => ({
        ...(event.orig_subject !== undefined && { orig_subject: topic(event.orig_subject) }),
        ...(event.subject !== undefined && { subject: topic(event.subject) }),
      })
      return [{ type: event.type, variant, make: () => ({ ...rest, ...names() }) }]
    },
  },

  update_message_flags: {
    variants(event, { capabilities }) {
      if (!event.message_details) return asLogged(event)
      const { variant, topic } = topicNames(capabilities)
      const details = () =>
        Object.entries<Logged>(event.message_details).map(([id, detail]) => [
          id,
          detail.topic === undefined ? detail : { ...detail, topic: topic(detail.topic) },
        ])
      return [{ type: event.type, variant, make: () => ({ ...event, message_details: Object.fromEntries(details()) }) }]
    },
  },

  typing: {
    variants(event, { capabilities }) {
      if (event.stream_id === undefined) return asLogged(event)
      if (!capabilities.stream_typing_notifications) return []
      const { variant, topic } = topicNames(capabilities)
      return [{ type: event.type, variant, make: () => ({ ...event, topic: topic(event.topic) }) }]
    },
  },

  user_topic: {
    // The list of muted topics is what clients knew before there were other policies.
    variants({ muted_topics, ...event }, { capabilities }) {
      const { variant, topic } = topicNames(capabilities)
      const shown = () => muted_topics.map(([stream, name, at]: [string, string, number]) => [stream, topic(name), at])
      return [
        {
          type: 'muted_topics',
          variant: `muted ${variant}`,
          idOffset: 1,
          make: () => ({ type: 'muted_topics', muted_topics: shown() }),
        },
        { type: event.type, variant, make: () => ({ ...event, topic_name: topic(event.topic_name) }) },
      ]
    },
  },

  user_settings: {
    variants(event, { capabilities }, user) {
      if (capabilities.user_settings_object) return asLogged(event)
      return [...legacySettingVariants(event, user), ...asLogged(event)]
    },
  },

  subscription: {
    variants(event, { include_subscribers }) {
      if (event.op === 'update' && event.property === 'is_muted') {
        // What clients knew before is_muted.
        const make = () => ({ ...event, property: 'in_home_view', value: !event.value })
        return [{ type: event.type, variant: 'in_home_view', idOffset: 1, make }, ...asLogged(event)]
      }
      if (event.op !== 'add' || include_subscribers) return asLogged(event)
      const make = () => ({
        ...event,
        subscriptions: event.subscriptions.map(({ subscribers, ...rest }: Logged) => rest),
      })
      return [{ type: event.type, variant: 'alone', make }]
    },
  },

  realm_user: {
    variants(event, { client_gravatar }) {
      const { avatar_url } = event.person
      if (!client_gravatar || typeof avatar_url !== 'string' || !avatar_url.startsWith(GRAVATAR)) return asLogged(event)
      const person = { ...event.person, avatar_url: null }
      if ('avatar_url_medium' in person) person.avatar_url_medium = null
      return [{ type: event.type, variant: 'gravatar', make: () => ({ ...event, person }) }]
    },
  },

  user_group: {
    variants(event, { capabilities }) {
      const ended = event.op === 'update' && event.data.deactivated === true
      if (!ended || capabilities.include_deactivated_groups) return asLogged(event)
      return [{ type: event.type, variant: 'gone', make: () => ({ ...event, op: 'remove', data: undefined }) }]
    },
  },

  presence: {
    variants({ email, ...event }, { slim_presence }) {
      const make = () => (slim_presence ? event : { ...event, email })
      return [{ type: event.type, variant: slim_presence ? 'slim' : '', make }]
    },
  },
}

const asLogged = (event: LoggedEvent): EventVariant[] => [{ type: event.type, variant: '', make: () => event }]

export const variantsOf = (event: LoggedEvent, options: QueueOptions, user: User): EventVariant[] =>
  rules[event.type]?.variants(event, options, user) ?? asLogged(event)

/** Topics as a client shows them: those that know no empty names get the one that stands for it. */
function topicNames(capabilities: QueueOptions['capabilities']) {
  const empty = capabilities.empty_topic_name === true
  return {
    variant: empty ? 'empty' : 'named',
    topic: (name: string): string => displayTopicName(name, empty),
  }
}
