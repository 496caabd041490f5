import type { Expression, SqlBool } from 'kysely'
import { visibleTo } from '../access/message-visibility.ts'
import type { Caller } from '../kernel/context.ts'
import { receivedBy } from '../read-state/conditions.ts'
import type { CompiledTerm, Narrow } from './compile.ts'
import type { MessageRow } from './operators/predicate.ts'

/** A condition on rows of `message`. */
export type Condition = (row: MessageRow) => Expression<SqlBool>

/** The caller's messages: received, sent or flagged ones. */
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

/** Messages that the caller may see and that match the narrow. */
export function conditionOf({ user }: Caller, narrow: Narrow): Condition {
  return (row) =>
    row.and([
      // Most rows fail one of the terms; conditions on the text come last, as they are the most expensive.
      ...narrow.terms.filter((term) => term.operator !== 'search').map((term) => asked(row, term)),
      ...(narrow.wholeHistory ? [] : [isHad(row, user.id)]),
      visibleTo(row, user),
      ...narrow.terms.filter((term) => term.operator === 'search').map((term) => asked(row, term)),
    ])
}

const asked = (row: MessageRow, { predicate, negated }: CompiledTerm) =>
  negated ? row.not(predicate.sql(row)) : predicate.sql(row)
