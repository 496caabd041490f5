import * as v from 'valibot'
import { on, text } from '../format/event.ts'
import type { Service } from '../format/service.ts'
import { topicName, untrusted } from '../format/text.ts'

/** Tools in which people word the messages themselves: `topic` and `content`, or `title` and `message`. */
const service = (name: string, displayName: string): Service => ({
  name,
  displayName,
  eventOf: () => '*',
  events: {
    '*': on(
      v.pipe(
        v.object({ topic: text, title: text, content: text, message: text }),
        v.check(({ content, message }) => (content || message).trim() !== '', 'no content'),
      ),
      ({ topic, title, content, message }) => ({
        topic: topicName(topic || title || displayName),
        content: untrusted(content || message, 9000),
      }),
    ),
  },
})

export const homeAssistant = service('homeassistant', 'Home Assistant')
export const ifttt = service('ifttt', 'IFTTT')
export const zapier = service('zapier', 'Zapier')
