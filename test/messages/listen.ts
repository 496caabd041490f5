import { getEvents } from '../../src/core/events/queues/poll.ts'
import { register } from '../../src/core/events/queues/register.ts'
import { putSetting } from '../../src/core/settings/organization.ts'
import type { SettingName, Settings } from '../../src/core/settings/organization-table.ts'
import type { Person, World } from '../../src/testing/index.ts'

// biome-ignore lint/suspicious/noExplicitAny: an event's members depend on its type.
type Event = any

/** Registers a client of this user; each call returns its new events, without heartbeats. */
export async function listen(person: Person, event_types?: string[]): Promise<() => Promise<Event[]>> {
  const { queue_id, last_event_id } = (await register(person, {
    ...(event_types && { event_types }),
    fetch_event_types: [],
    client_capabilities: { bulk_message_deletion: true, empty_topic_name: true, stream_typing_notifications: true },
  })) as { queue_id: string; last_event_id: number }
  let last = last_event_id
  return async () => {
    const { events } = await getEvents(person, { queue_id, last_event_id: last, dont_block: true })
    last = events.at(-1)?.id ?? last
    return events.map(({ id: _, ...event }) => event)
  }
}

export const set = (w: World, name: SettingName, value: unknown): Promise<void> =>
  w.people.iago.write((tx) => putSetting(tx, name, value as Settings[SettingName]))
