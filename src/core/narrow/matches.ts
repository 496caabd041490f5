import type { Caller } from '../context.ts'
import { type Narrow, understand } from './compile.ts'
import type { MessageFacts } from './operators/match-input.ts'
import type { NarrowTerm } from './operators/terms.ts'

export type Matcher = (message: MessageFacts) => boolean

/** Whether a message at hand holds for every term. Who may see it is not asked here. */
export const matcherOf =
  ({ terms }: Narrow): Matcher =>
  (message) =>
    terms.every(({ meaning, negated }) => meaning.matches(message) !== negated)

/** A narrow as a predicate in memory. Throws BAD_NARROW for what cannot be. */
export async function compileMatcher(caller: Caller, terms: readonly NarrowTerm[]): Promise<Matcher> {
  return matcherOf(await understand(caller, terms))
}
