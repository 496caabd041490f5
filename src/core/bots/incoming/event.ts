import * as v from 'valibot'
import { badRequest } from '../../kernel/errors.ts'

/** What an event of another service becomes here. */
export interface Announcement {
  topic: string
  content: string
}

/** Makes an announcement of an event; undefined for one that is not worth a message. */
export type Reader = (payload: unknown, event: string) => Announcement | undefined

/**
 * A reader for one kind of event: the schema says what it needs of the payload, the function what is said.
 *
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
