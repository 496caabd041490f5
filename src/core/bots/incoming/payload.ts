import * as v from 'valibot'
import { badRequest } from '../../kernel/errors.ts'
import { described } from '../../kernel/fields.ts'

/** The body as JSON. Services that send forms put it in a field with this name. */
export const payload = described(v.unknown(), 'What the service sends, as the body or in a form field, as JSON.')

/** Returns the name of an event from a header. Throws without one. */
export function requireEvent(event: string | null | undefined, header: string): string {
  if (!event) throw badRequest(`Missing the HTTP event header '${header}'`)
  return event
}
