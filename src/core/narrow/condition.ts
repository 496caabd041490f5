import type { Expression, SqlBool } from 'kysely'
import type { Caller } from '../caller.ts'
import { receivedBy } from '../messages/read-ranges.ts'
import { visibleTo } from '../messages/visible.ts'
import type { MessageRow } from './meaning.ts'
import type { Narrow } from './understand.ts'

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
      ...narrow.terms.map(({ meaning, negated }) => (negated ? row.not(meaning.sql(row)) : meaning.sql(row))),
      // The terms first: most rows fail there, and the rule of access is the dearest.
      ...(narrow.wholeHistory ? [] : [isHad(row, user.id)]),
      visibleTo(row, user),
    ])
}
