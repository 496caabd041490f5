import * as v from 'valibot'
import { label, on, type Reader, text, textAt } from '../format/event.ts'
import { type Service, signedIn } from '../format/service.ts'
import { link, listed, quote, topicName, untrustedLine } from '../format/text.ts'

const reference = v.nullish(v.object({ summary: text }))
const incident = v.object({
  agent: reference,
  data: v.object({
    number: label,
    title: text,
    html_url: text,
    urgency: text,
    service: reference,
    assignees: v.nullish(v.array(v.object({ summary: text })), []),
    content: text,
    message: text,
    incident: reference,
  }),
})

const verbs: Readonly<Record<string, string>> = {
  triggered: 'was triggered',
  acknowledged: 'was acknowledged',
  unacknowledged: 'was unacknowledged',
  resolved: 'was resolved',
  reopened: 'was reopened',
  reassigned: 'was reassigned',
  delegated: 'was delegated',
  escalated: 'was escalated',
  priority_updated: 'was given another priority',
  annotated: 'was annotated',
  status_update_published: 'has a status update',
  'responder.added': 'was given another responder',
  'responder.replied': 'was replied to',
}

const reader = (verb: string): Reader =>
  on(v.object({ event: incident }), ({ event: { agent, data } }) => {
    const name = data.title || data.incident?.summary || 'Incident'
    const shown = link(data.number ? `#${data.number} ${name}` : name, data.html_url)
    const by = agent?.summary ? ` by ${untrustedLine(agent.summary)}` : ''
    const assigned = data.assignees.length
      ? ` Assigned to ${listed(data.assignees.map(({ summary }) => untrustedLine(summary)))}.`
      : ''
    const urgency = data.urgency ? ` (urgency: ${untrustedLine(data.urgency)})` : ''
    return {
      topic: topicName(data.service?.summary || 'PagerDuty', name),
      content: `${shown}${urgency} ${verb}${by}.${assigned}${quote(data.content || data.message)}`,
    }
  })

export const pagerduty: Service = {
  name: 'pagerduty',
  displayName: 'PagerDuty',
  headers: ['x-pagerduty-signature'],
  // Several signatures may be valid while a secret is replaced.
  secret: {
    option: 'pagerduty_secret',
    isProven: (secret, body, headers) =>
      (headers['x-pagerduty-signature'] ?? '')
        .split(',')
        .some((signature) => signedIn('signature', 'v1=')(secret, body, { signature: signature.trim() })),
  },
  eventOf: (payload) => textAt(payload, 'event', 'event_type'),
  events: {
    ...Object.fromEntries(Object.entries(verbs).map(([name, verb]) => [`incident.${name}`, reader(verb)])),
    'pagey.ping': () => ({ topic: 'PagerDuty', content: 'The webhook is set up.' }),
  },
  unannounced: { 'incident.workflow.started': 'The workflow announces its results.' },
}
