import * as v from 'valibot'
import { number, on, text } from '../format/event.ts'
import type { Service } from '../format/service.ts'
import { link, plain, topicName, untrustedLine } from '../format/text.ts'

const states: Readonly<Record<number, string>> = {
  0: ':alert: is **down**',
  1: ':check: is **up**',
  2: 'is pending',
  3: 'is in maintenance',
}

export const uptimeKuma: Service = {
  name: 'uptime_kuma',
  displayName: 'Uptime Kuma',
  eventOf: () => '*',
  events: {
    '*': on(
      v.object({
        msg: text,
        monitor: v.nullish(v.object({ name: v.string(), url: text })),
        heartbeat: v.nullish(v.object({ status: number, msg: text })),
      }),
      ({ msg, monitor, heartbeat }) =>
        monitor && heartbeat
          ? {
              topic: topicName(monitor.name),
              content: `${link(monitor.name, monitor.url)} ${states[heartbeat.status] ?? 'changed'}${heartbeat.msg ? `: ${untrustedLine(heartbeat.msg)}` : '.'}`,
            }
          : { topic: 'Uptime Kuma', content: plain(msg) || 'The webhook is set up.' },
    ),
  },
}
