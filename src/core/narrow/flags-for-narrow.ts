import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { MAX_MESSAGES_PER_FETCH } from '../kernel/base/limits.ts'
import type { Tx } from '../kernel/context.ts'
import { badRequest } from '../kernel/errors.ts'
import { bool, count, described, text } from '../kernel/fields.ts'
import { inSlices } from '../kernel/slices.ts'
import { checkFlag, FLAGS_SLICE, flagOp, ignoredChannels, ignoredEntries } from '../messages/flags.ts'
import { accessForFlags, type Flagged, setFlag } from '../messages/set-flag.ts'
import { integer } from '../shapes/values.ts'
import { anchorParam, resolveAnchor } from './anchor.ts'
import { compileNarrow } from './compile.ts'
import { narrow as narrowSchema } from './operators/terms.ts'
import { readNarrow } from './read-narrow.ts'
import { windowAround } from './window.ts'

/**
 * POST /messages/flags/narrow: like POST /messages/flags, for a window of messages in a narrow. Clients continue from
 * its ends.
 *
 * @throws BAD_NARROW for a term with an unknown operator or an operand that does not fit
 * @throws BAD_REQUEST for more than 5,000 messages, and as `updateFlags`
 */
export const updateFlagsForNarrow = action(
  {
    name: 'updateFlagsForNarrow',
    summary: 'Update personal message flags for a narrow',
    params: v.object({
      anchor: described(anchorParam, 'ID of a message, or "newest", "oldest" or "first_unread".'),
      include_anchor: described(v.nullish(bool, true), 'Whether to include the anchor message.'),
      num_before: described(count, 'Number of messages before the anchor.'),
      num_after: described(count, 'Number of messages after the anchor.'),
      narrow: described(
        narrowSchema,
        'Terms that every message must match: `[operator, operand]` or `{ operator, operand, negated }`.',
      ),
      op: described(flagOp, 'What to do with the flag: add or remove.'),
      flag: described(text, 'The flag: read, starred or collapsed.'),
    }),
    result: v.strictObject({
      processed_count: integer,
      updated_count: integer,
      first_processed_id: v.nullable(integer),
      last_processed_id: v.nullable(integer),
      found_oldest: v.boolean(),
      found_newest: v.boolean(),
      ...ignoredEntries,
    }),
    errors: ['BAD_NARROW'],
  },
  async (caller, { include_anchor, num_before, num_after, op, flag, ...requested }) => {
    const which = checkFlag(flag)
    if (num_before + num_after > MAX_MESSAGES_PER_FETCH) {
      throw badRequest(`Too many messages requested (maximum ${MAX_MESSAGES_PER_FETCH}).`)
    }
    if (num_before > 0 && num_after > 0 && include_anchor === false) {
      throw badRequest('The anchor can only be excluded if it is at either end of the range')
    }
    const { narrow: terms, anchor: named } = requested
    const request = { terms, anchor: named, count: num_before + num_after }
    const { ids, ...window } = await readNarrow(caller, request, async (reader) => {
      const narrow = await compileNarrow(reader, terms)
      const anchor = await resolveAnchor(reader, narrow, named)
      const { before, after, atAnchor, ...ends } = await windowAround(reader, narrow, { anchor, num_before, num_after })
      return { ids: [...before, ...(atAnchor && include_anchor !== false ? [anchor] : []), ...after], ...ends }
    })
    let updated_count = 0
    const ignored: Flagged[] = []
    const change = async (tx: Tx, slice: readonly number[]) => setFlag(tx, await accessForFlags(tx, slice), op, which)
    await inSlices(caller, ids, FLAGS_SLICE, change, {
      done(result) {
        updated_count += result.changed
        ignored.push(...result.ignored)
      },
    })
    return {
      processed_count: ids.length,
      updated_count,
      first_processed_id: ids[0] ?? null,
      last_processed_id: ids.at(-1) ?? null,
      found_oldest: window.found_oldest,
      found_newest: window.found_newest,
      ...ignoredChannels(ignored, op, which),
    }
  },
)
