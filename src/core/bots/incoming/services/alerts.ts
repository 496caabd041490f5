import * as v from 'valibot'
import { on, text, textAt } from '../format/event.ts'
import type { Service } from '../format/service.ts'
import { counted, link, topicName, untrustedLine } from '../format/text.ts'

/** Alerts in the form of Prometheus Alertmanager, which Grafana sends, too. */
const texts = v.nullish(v.record(v.string(), v.unknown()), {})
const alert = v.object({
  status: text,
  labels: texts,
  annotations: texts,
  generatorURL: text,
  dashboardURL: text,
  silenceURL: text,
  valueString: text,
})
const alerts = v.object({
  status: text,
  title: text,
  receiver: text,
  externalURL: text,
  groupLabels: texts,
  alerts: v.array(alert),
})

/** Alerts shown of one notification. */
const SHOWN = 20

function line({
  status,
  labels,
  annotations,
  generatorURL,
  dashboardURL,
  silenceURL,
}: v.InferOutput<typeof alert>): string {
  const icon = status === 'resolved' ? ':check:' : ':alert:'
  const name = textAt(labels, 'alertname') || 'Alert'
  const where = textAt(labels, 'instance') || textAt(labels, 'service')
  const words = textAt(annotations, 'summary') || textAt(annotations, 'description') || textAt(annotations, 'message')
  const silence = status !== 'resolved' && silenceURL ? ` (${link('silence', silenceURL)})` : ''
  return `* ${icon} ${link(name, dashboardURL || generatorURL)}${where ? ` on ${untrustedLine(where)}` : ''}${words ? `: ${untrustedLine(words, 500)}` : ''}${silence}`
}

const service = (name: string, displayName: string): Service => ({
  name,
  displayName,
  eventOf: (payload) => textAt(payload, 'status') || 'firing',
  events: Object.fromEntries(
    ['firing', 'resolved'].map((status) => [
      status,
      on(alerts, (found) => {
        const name = textAt(found.groupLabels, 'alertname') || textAt(found.alerts[0]?.labels, 'alertname')
        const more = found.alerts.length - SHOWN
        const head = `**${counted(found.alerts.length, 'alert')} ${status}**`
        const lines = found.alerts.slice(0, SHOWN).map(line)
        return {
          topic: topicName(name || found.receiver || displayName),
          content: [head, '', ...lines, ...(more > 0 ? [`* … and ${counted(more, 'more alert')}`] : [])].join('\n'),
        }
      }),
    ]),
  ),
})

export const alertmanager = service('alertmanager', 'Prometheus Alertmanager')
export const grafana = service('grafana', 'Grafana')
