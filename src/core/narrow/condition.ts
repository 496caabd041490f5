import type { Expression, SqlBool } from 'kysely'
import { visibleTo } from '../access/message-visibility.ts'
import type { Caller } from '../context.ts'
import { receivedBy } from '../read-state/conditions.ts'
import type { CompiledTerm, Narrow } from './compile.ts'
import type { MessageRow } from './operators/predicate.ts'

/** A condition on rows of `message`. */
export type Condition = (row: MessageRow) => Expression<SqlBool>

/** What the caller has of the organization's messages: what they received, wrote or marked. */
const isHad = (row: MessageRow, user_id: number): Expression<SqlBool> =>
  row.or([
    receivedBy(row, user_id),
    row('message.sender_id', '=', user_id),
    row.exists(
      row
        .selectFrom('message_flag')
        .select('message_flag.user_id')
        .where('message_flag.user_id', '=', user_id)
        .whereRef('message_flag.message_id', '=', 'message.id'),
    ),
  ])

/** Messages that the caller may see, that the narrow is about, and for which its terms hold. */
export function conditionOf({ user }: Caller, narrow: Narrow): Condition {
  return (row) =>
    row.and([
      // Most rows fail in the terms, and what a text says is the dearest of all to find out.
      ...narrow.terms.filter((term) => term.operator !== 'search').map((term) => asked(row, term)),
      ...(narrow.wholeHistory ? [] : [isHad(row, user.id)]),
      visibleTo(row, user),
      ...narrow.terms.filter((term) => term.operator === 'search').map((term) => asked(row, term)),
    ])
}

const asked = (row: MessageRow, { meaning, negated }: CompiledTerm) =>
  negated ? row.not(meaning.sql(row)) : meaning.sql(row)
