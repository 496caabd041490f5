import * as v from 'valibot'
import { on, text, textAt } from '../format/event.ts'
import type { Service } from '../format/service.ts'
import { link, quote, topicName, untrustedLine } from '../format/text.ts'

const inWords = (status: string) => `**${untrustedLine(status.replaceAll('_', ' ').toLowerCase()) || 'unknown'}**`

/** Atlassian's Statuspage, and services with the same payloads. */
export const statuspage: Service = {
  name: 'statuspage',
  displayName: 'Statuspage',
  eventOf: (payload) => (textAt(payload, 'component', 'name') ? 'component_update' : 'incident_update'),
  // "incident_update:resolved" and "component_update:major_outage".
  alsoNamed: (payload) => {
    const status = textAt(payload, 'incident', 'status')
    return [
      status ? `incident_update:${status}` : `component_update:${textAt(payload, 'component_update', 'new_status')}`,
    ]
  },
  events: {
    incident_update: on(
      v.object({
        incident: v.object({
          name: v.string(),
          status: text,
          impact: text,
          shortlink: text,
          /** The newest first. */
          incident_updates: v.nullish(v.array(v.object({ body: text })), []),
        }),
      }),
      ({ incident: { name, status, impact, shortlink, incident_updates } }) => ({
        topic: topicName(name),
        content: `The incident ${link(name, shortlink)} is ${inWords(status)}${impact && impact !== 'none' ? ` (impact: ${untrustedLine(impact)})` : ''}.${quote(incident_updates[0]?.body)}`,
      }),
    ),
    component_update: on(
      v.object({
        component: v.object({ name: v.string() }),
        component_update: v.object({ old_status: text, new_status: text }),
      }),
      ({ component: { name }, component_update: { old_status, new_status } }) => ({
        topic: topicName(name),
        content: `${new_status === 'operational' ? ':check:' : ':alert:'} **${untrustedLine(name)}** changed${old_status ? ` from ${inWords(old_status)}` : ''} to ${inWords(new_status)}.`,
      }),
    ),
  },
}
