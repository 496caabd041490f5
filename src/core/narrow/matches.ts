import type { Narrow } from './compile.ts'
import type { MatchInput } from './operators/match-input.ts'

export type Matcher = (message: MatchInput) => boolean

/** Whether a message in memory matches every term. It does not check who may see it. */
export const matcherOf =
  ({ terms }: Narrow): Matcher =>
  (message) =>
    terms.every(({ predicate, negated }) => predicate.matches(message) !== negated)

/** Like `matcherOf`, but only with terms whose result for a message never changes. */
export const lastingMatcherOf = ({ terms, ...narrow }: Narrow): Matcher =>
  matcherOf({ ...narrow, terms: terms.filter(({ predicate }) => predicate.lasting) })
