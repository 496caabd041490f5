import * as v from 'valibot'
import { badRequest } from '../../../kernel/errors.ts'

/** The message that an event of another service becomes. */
export interface Announcement {
  topic: string
  content: string
}

/** What the address of a webhook says about its messages. */
export interface View {
  /** The topic is fixed by the address, so each message names the item that it is about. */
  readonly titled: boolean
  /** Topics of merge requests contain their title. */
  readonly titlesInTopics: boolean
  /** Branches whose pushes and builds are announced, as patterns; all when empty. */
  readonly branches: readonly string[]
  /** The `config_data` of the bot. */
  readonly config: Readonly<Record<string, string>>
}

/** Turns an event into a message, or says why it becomes none. */
export type Reader = (payload: unknown, event: string, view: View) => Announcement | Skipped

/** Why an event becomes no message. Shown to the bot's owner among its deliveries. */
export interface Skipped {
  readonly skipped: string
}

export const skip = (reason: string): Skipped => ({ skipped: reason })
export const skippedAction = (action: string): Skipped => skip(`The action "${action}" is not announced.`)
export const skippedBranch = (branch: string): Skipped => skip(`The address leaves the branch ${branch} out.`)

/**
 * A reader for one kind of event. The schema lists what it needs of the payload.
 *
 * @example
 * const star = on(v.object({ sender: user, repository }), ({ sender, repository }) => ({ topic: repository.name, … }))
 */
export const on =
  <S extends v.GenericSchema>(
    schema: S,
    announce: (event: v.InferOutput<S>, view: View) => Announcement | Skipped,
  ): Reader =>
  (payload, event, view) => {
    const { success, output, issues } = v.safeParse(schema, payload, { abortEarly: true })
    if (success) return announce(output, view)
    const where = v.getDotPath(issues[0]!)
    throw badRequest(`This is not what an event "${event}" looks like${where === null ? '' : ` (see ${where})`}.`)
  }

/** Whether a name matches one of these patterns, in which `*` stands for any characters. */
export function matchesAny(patterns: readonly string[], name: string): boolean {
  const lower = name.slice(0, MAX_NAME_LENGTH).toLowerCase()
  return patterns.some((pattern) => matches(pattern.slice(0, MAX_NAME_LENGTH).toLowerCase(), lower))
}

/** Names of events and branches are shorter. */
const MAX_NAME_LENGTH = 300

/** Returns what a table has for a name, or undefined; names of other services may equal members of every object. */
export const wordFor = <T>(words: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(words, name) ? words[name] : undefined

/** Returns the text or number at a path of a payload; empty if there is none. */
export function textAt(payload: unknown, ...path: readonly string[]): string {
  const found = path.reduce<unknown>((value, name) => (isRecord(value) ? wordFor(value, name) : undefined), payload)
  return typeof found === 'string' || typeof found === 'number' ? String(found) : ''
}

const isRecord = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null

/** Compares piece by piece, so that a pattern takes at most its length times the length of the name. */
function matches(pattern: string, name: string): boolean {
  const [first = '', ...rest] = pattern.split('*')
  if (rest.length === 0) return name === pattern
  const last = rest.pop()!
  if (name.length < first.length + last.length || !name.startsWith(first) || !name.endsWith(last)) return false
  let at = first.length
  for (const piece of rest) {
    const found = name.indexOf(piece, at)
    if (found < 0) return false
    at = found + piece.length
  }
  return at <= name.length - last.length
}

export const announcesBranch = ({ branches }: View, branch: string): boolean =>
  branches.length === 0 || matchesAny(branches, branch)

export const text = v.nullish(v.string(), '')
export const number = v.number()
/** A number or a text, as services disagree. */
export const label = v.nullish(v.union([v.string(), v.pipe(v.number(), v.transform(String))]), '')
