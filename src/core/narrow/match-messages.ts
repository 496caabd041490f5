import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { bool, described } from '../kernel/fields.ts'
import { allMatches } from './answer.ts'
import { compileNarrow } from './compile.ts'
import { findAmong } from './find-messages.ts'
import { messageIds } from './message-params.ts'
import { narrow as narrowSchema } from './operators/terms.ts'
import { readNarrow } from './read-narrow.ts'

/**
 * GET /messages/matches_narrow: returns which of the given messages match a narrow, with their search matches
 * highlighted.
 *
 * @throws BAD_NARROW for a term with an unknown operator or an operand that does not fit
 */
export const matchesNarrow = action(
  {
    name: 'matchesNarrow',
    summary: 'Check whether messages match a narrow',
    params: v.object({
      msg_ids: described(messageIds, 'IDs of the messages.'),
      narrow: described(
        narrowSchema,
        'Terms that every message must match: `[operator, operand]` or `{ operator, operand, negated }`.',
      ),
      allow_empty_topic_name: described(
        v.nullish(bool, false),
        'Whether to return empty topic names unchanged instead of as `realm_empty_topic_display_name`.',
      ),
    }),
    result: v.strictObject({
      messages: v.record(v.string(), v.strictObject({ match_content: v.string(), match_subject: v.string() })),
    }),
    errors: ['BAD_NARROW'],
  },
  async (caller, { msg_ids, narrow: terms, allow_empty_topic_name }) => {
    const fields = await readNarrow(caller, { terms, count: msg_ids.length }, async (reader) => {
      const narrow = await compileNarrow(reader, terms)
      const ids = await findAmong(reader, narrow, msg_ids)
      return allMatches(reader, narrow, ids, { allow_empty_topic_name })
    })
    return { messages: Object.fromEntries(fields) }
  },
)
