import * as v from 'valibot'
import { accessMessages, participantsOf } from '../access/messages.ts'
import { topicNameOf } from '../access/topics.ts'
import type { Caller } from '../kernel/context.ts'
import type { Predicate } from './operators/predicate.ts'
import { canonicalName, messageId, operators } from './operators/table.ts'
import { badNarrow, type NarrowTerm } from './operators/terms.ts'

export interface CompiledTerm {
  operator: string
  negated: boolean
  predicate: Predicate
}

/** A narrow with its names resolved, for one caller. */
export interface Narrow {
  terms: readonly CompiledTerm[]
  /** The same terms with ids instead of names, to be stored. */
  canonical: readonly NarrowTerm[]
  /** Whether it selects a conversation, whose whole readable history counts, or only messages the caller has. */
  wholeHistory: boolean
  /** Folded search words to highlight; undefined without a search term. */
  parts: readonly string[] | undefined
}

/** Operators that extend beyond the messages the caller has, unless negated. */
const places: ReadonlySet<string> = new Set(['channel', 'channels', 'id'])
const extendsHistory = ({ operator, operand, negated }: NarrowTerm): boolean =>
  !negated && places.has(operator) && !(operator === 'channels' && operand === 'archived')

/** Resolves the names in a narrow. Throws BAD_NARROW for an operand that does not fit. */
export async function compileNarrow(caller: Caller, narrow: readonly NarrowTerm[]): Promise<Narrow> {
  const named = narrow.map((term) => ({ ...term, operator: canonicalName(term.operator) }))
  const terms: CompiledTerm[] = []
  const canonical: NarrowTerm[] = []
  for (const { operator, operand, negated } of await withoutWith(caller, named)) {
    const known = Object.hasOwn(operators, operator) ? operators[operator] : undefined
    if (!known) throw badNarrow(`unknown operator ${operator}`)
    if (!v.is(known.operand, operand)) throw badNarrow(`invalid operand of ${operator}`)
    const predicate = await known.compile(caller, operand)
    terms.push({ operator, negated, predicate })
    canonical.push({ operator, operand: predicate.operand ?? operand, negated })
  }
  const parts = terms.flatMap((term) => (term.negated ? [] : (term.predicate.parts ?? [])))
  return {
    terms,
    canonical,
    wholeHistory: canonical.some(extendsHistory),
    parts: terms.some((term) => term.operator === 'search') ? parts : undefined,
  }
}

const conversationOperators = new Set(['channel', 'topic', 'dm'])

/** `with` means the conversation of a message, wherever that has been moved to. */
async function withoutWith(caller: Caller, terms: readonly NarrowTerm[]): Promise<readonly NarrowTerm[]> {
  const withTerms = terms.filter((term) => term.operator === 'with')
  const [only] = withTerms
  if (!only) return terms
  if (withTerms.length > 1) throw badNarrow("duplicate 'with' operators")
  if (only.negated) throw badNarrow("'with' cannot be negated")
  const rest = terms.filter((term) => term !== only)
  const [message] = await accessMessages(caller, [messageId(only.operand)])
  if (!message) {
    // The conversation that the other terms name is the best guess.
    const names = new Set(rest.filter((term) => !term.negated).map((term) => term.operator))
    if (names.has('dm') || (names.has('channel') && names.has('topic'))) return rest
    throw badNarrow("invalid 'with' operator")
  }
  const others = rest.filter((term) => term.negated || !conversationOperators.has(term.operator))
  if (message.topic_id === null) {
    const people = await participantsOf(caller.db, message.conversation_id)
    return [{ operator: 'dm', operand: people, negated: false }, ...others]
  }
  const name = await topicNameOf(caller.db, message.topic_id)
  return [
    { operator: 'channel', operand: message.conversation_id, negated: false },
    { operator: 'topic', operand: name, negated: false },
    ...others,
  ]
}
