import { type Announcement, type Skipped, skip } from '../format/event.ts'
import type { Service } from '../format/service.ts'
import { topicName } from '../format/text.ts'
import { templates } from './liquid.ts'

/** The texts of an integration that an administrator made. */
export interface Template {
  readonly event: string
  readonly topic: string
  readonly content: string
}

/** Returns an integration that an administrator made. */
export async function templateService(name: string, template: Template): Promise<Service> {
  const read = await templateReader(template)
  return {
    name,
    displayName: name,
    eventOf: (payload) => read.event(payload) || '*',
    events: { '*': (payload) => read.announcement(payload, name) },
  }
}

/** Returns functions that read payloads by these templates. */
export async function templateReader({ event, topic, content }: Template) {
  const filled = await templates()
  return {
    event: (payload: unknown): string => filled('event', event, payload).slice(0, 200),
    announcement: (payload: unknown, name: string): Announcement | Skipped => {
      const text = filled('content', content, payload)
      if (text === '') return skip('The template makes no message of this payload.')
      return { topic: topicName(filled('topic', topic, payload) || name), content: text }
    },
  }
}
