import * as v from 'valibot'
import type { Chat } from './chat.ts'

/**
 * Throws if a response or event doesn't fit its schema and the chat was opened with that check, as in tests. The value
 * is checked as JSON, because that leaves the server.
 */
export function checkContract({ options }: Chat, what: string, schema: v.GenericSchema, value: unknown): void {
  if (!options.checkContract) return
  const json: unknown = JSON.parse(JSON.stringify(value))
  const { issues } = v.safeParse(schema, json, { abortEarly: true })
  if (!issues) return
  const [issue] = issues
  throw new Error(`${what} breaks its contract at ${v.getDotPath(issue) ?? 'the top'}: ${issue.message}`, {
    cause: json,
  })
}
