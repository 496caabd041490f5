import type { Caller } from '../context.ts'
import { compileNarrow, type Narrow } from './compile.ts'
import type { MatchInput } from './operators/match-input.ts'
import type { NarrowTerm } from './operators/terms.ts'

export type Matcher = (message: MatchInput) => boolean

/** Whether a message at hand holds for every term. Who may see it is not asked here. */
export const matcherOf =
  ({ terms }: Narrow): Matcher =>
  (message) =>
    terms.every(({ meaning, negated }) => meaning.matches(message) !== negated)

/** A narrow as a predicate in memory. Throws BAD_NARROW for what cannot be. */
export async function compileMatcher(caller: Caller, terms: readonly NarrowTerm[]): Promise<Matcher> {
  return matcherOf(await compileNarrow(caller, terms))
}
