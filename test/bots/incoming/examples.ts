import { services } from '../../../src/core/bots/incoming/table.ts'
import { rarerExamples } from './rarer-events.ts'
import { type Example, serviceExamples } from './service-events.ts'

/** Examples of all services besides GitHub and GitLab. */
export const examples: readonly Example[] = [...serviceExamples, ...rarerExamples]

/** The value of the header that names an example's event; empty if its service has none. */
export function headerOf({ service, headers }: Example): string {
  const { eventHeader = '' } = services.find(({ name }) => name === service)!
  return headers?.[eventHeader] ?? ''
}

/** The event of an example, as its service's table names it. */
export function eventOf(example: Example): string {
  const service = services.find(({ name }) => name === example.service)!
  const header = headerOf(example)
  return service.eventOf?.(example.payload, header) || header
}
