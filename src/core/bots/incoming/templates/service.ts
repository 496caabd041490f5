import type { Db } from '../../../../storage/index.ts'
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

/** Returns the integration of this name that an administrator made, if there is one. */
export async function templateService(db: Db, name: string): Promise<Service | undefined> {
  const row = await db.selectFrom('webhook_template').selectAll().where('name', '=', name).executeTakeFirst()
  if (!row) return undefined
  const read = await templateReader(row)
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
