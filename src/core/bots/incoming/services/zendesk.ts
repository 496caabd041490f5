import * as v from 'valibot'
import { label, on, text } from '../format/event.ts'
import type { Service } from '../format/service.ts'
import { link, quote, topicName, untrustedLine } from '../format/text.ts'

/** Events of Zendesk, and triggers with a custom body: `ticket_id`, `ticket_title`, `ticket_url` and `message`. */
export const zendesk: Service = {
  name: 'zendesk',
  displayName: 'Zendesk',
  eventOf: () => '*',
  events: {
    '*': on(
      v.object({
        type: text,
        ticket_id: label,
        ticket_title: text,
        ticket_url: text,
        message: text,
        detail: v.nullish(v.object({ id: label, subject: text, status: text, description: text })),
      }),
      ({ type, ticket_id, ticket_title, ticket_url, message, detail }) => {
        const id = detail?.id || ticket_id
        const title = detail?.subject || ticket_title
        const verb = type ? `: **${untrustedLine(type.split(':').at(-1)!.replaceAll('_', ' '))}**` : ''
        const status = detail?.status ? ` (${untrustedLine(detail.status.toLowerCase())})` : ''
        return {
          topic: topicName(`#${id} ${title}`),
          content: `${link(`Ticket #${id} ${title}`.trim(), ticket_url)}${status}${verb}${quote(message || detail?.description)}`,
        }
      },
    ),
  },
}
