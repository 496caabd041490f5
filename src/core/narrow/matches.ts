import type { Caller } from '../kernel/context.ts'
import { compileNarrow, type Narrow } from './compile.ts'
import type { MatchInput } from './operators/match-input.ts'
import type { NarrowTerm } from './operators/terms.ts'

export type Matcher = (message: MatchInput) => boolean

/** Whether a message in memory matches every term. It does not check who may see it. */
export const matcherOf =
  ({ terms }: Narrow): Matcher =>
  (message) =>
    terms.every(({ predicate, negated }) => predicate.matches(message) !== negated)

/** A narrow as a predicate in memory. Throws BAD_NARROW for an operand that does not fit. */
export async function compileMatcher(caller: Caller, terms: readonly NarrowTerm[]): Promise<Matcher> {
  return matcherOf(await compileNarrow(caller, terms))
}
