import * as v from 'valibot'
import { ChatError } from '../../kernel/errors.ts'
import { bool, integer, text } from '../../kernel/fields.ts'

/** The operand as clients send it: a name, an id, a list of them, or words. */
export const operand = v.union([text, integer, v.array(v.union([integer, text]))])
export type Operand = v.InferOutput<typeof operand>

const MAX_TERMS = 100

/** One term of a narrow, in either of its two forms on the wire. */
const narrowTerm = v.union([
  v.pipe(
    v.tuple([text, operand]),
    v.transform(([operator, operand]) => ({ operator, operand, negated: false })),
  ),
  v.pipe(
    v.object({ operator: text, operand, negated: v.nullish(bool, false) }),
    v.transform(({ operator, operand, negated }) => ({ operator, operand, negated })),
  ),
])
export type NarrowTerm = v.InferOutput<typeof narrowTerm>

/** A narrow: messages for which every term holds. */
export const narrow = v.pipe(v.array(narrowTerm), v.maxLength(MAX_TERMS, '{name} has too many entries'))

export const badNarrow = (desc: string): ChatError =>
  new ChatError('BAD_NARROW', `Invalid narrow operator: ${desc}`, { desc })
