import * as v from 'valibot'
import { badRequest } from '../../kernel/errors.ts'

/** The message for an event of another service. */
export interface Announcement {
  topic: string
  content: string
}

/** Makes an announcement of an event, or undefined if it isn't worth a message. */
export type Reader = (payload: unknown, event: string) => Announcement | undefined

/**
 * Creates a reader for one type of event. The schema has the members of the payload that it needs, and the function
 * makes the announcement.
 * @example
 * const star = on(v.object({ sender: user, repository }), ({ sender, repository }) => ({ topic: repository.name, … }))
 */
export const on =
  <S extends v.GenericSchema>(schema: S, announce: (event: v.InferOutput<S>) => Announcement | undefined): Reader =>
  (payload, event) => {
    const { success, output, issues } = v.safeParse(schema, payload, { abortEarly: true })
    if (success) return announce(output)
    const where = v.getDotPath(issues[0]!)
    throw badRequest(`This is not what an event "${event}" looks like${where === null ? '' : ` (see ${where})`}.`)
  }

export const text = v.nullish(v.string(), '')
export const number = v.number()
