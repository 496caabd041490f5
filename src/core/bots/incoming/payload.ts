import * as v from 'valibot'
import { badRequest } from '../../kernel/errors.ts'
import { described } from '../../kernel/fields.ts'

/** The body as JSON; services that send forms have it in a field of this name. */
export const payload = described(v.unknown(), 'What the service sends, as the body or in a form field, as JSON.')

/** An event of a service that names it in a header. */
export function requireEvent(event: string | null | undefined, header: string): string {
  if (!event) throw badRequest(`Missing the HTTP event header '${header}'`)
  return event
}
