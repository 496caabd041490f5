import * as v from 'valibot'
import { failedSignInsOf } from '../../accounts/failed-sign-ins.ts'
import { action } from '../../kernel/action.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, id, integer } from '../../kernel/fields.ts'
import { pacer } from '../../kernel/slices.ts'
import { csvHead, csvLine, jsonLine } from './formats.ts'
import { auditEntries, entryShape, filterParams } from './rows.ts'

const PAGE = 1000
/** An export is one response in memory. The command line has no such limit. */
const MAX_EXPORTED = 50_000

/**
 * GET /audit: lists what people and programs did that matters to others, newest first.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @example
 * const { entries, next } = await listAudit(admin, { action: 'deleteMessage' })
 */
export const listAudit = action(
  {
    name: 'listAudit',
    summary: 'List entries of the audit log',
    params: v.object({
      ...filterParams,
      before: described(v.nullish(id), 'Only entries before this one: `next` of the previous page.'),
      count: described(
        v.nullish(v.pipe(integer, v.minValue(1, '{name} must be positive'), v.maxValue(PAGE, `At most ${PAGE}`)), 100),
        'Entries in the response, at most 1,000.',
      ),
    }),
    result: v.strictObject({
      entries: v.array(entryShape),
      /** The `before` of the next page; null on the last. */
      next: v.nullable(integer),
    }),
    role: 'owner',
  },
  async (caller, { before, count, ...filter }) => {
    await failedSignInsOf(caller.chat).flush()
    const found = await auditEntries(caller.db, filter, { count: (count ?? 100) + 1, before: before ?? undefined })
    const entries = found.slice(0, count ?? 100)
    return { entries, next: found.length > entries.length ? entries.at(-1)!.id : null }
  },
)

/**
 * GET /audit/export: returns the entries of the audit log as text, oldest first: a line of JSON or CSV for each.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an owner
 * @throws BAD_REQUEST if more than 50,000 entries match
 */
export const exportAudit = action(
  {
    name: 'exportAudit',
    summary: 'Export the audit log',
    audit: { subject: 'organization', details: ({ format }) => ({ audit_log: 'exported', format }) },
    params: v.object({
      ...filterParams,
      format: described(v.nullish(v.picklist(['jsonl', 'csv'], 'Invalid {name}'), 'jsonl'), '`jsonl` or `csv`.'),
    }),
    result: v.strictObject({ text: v.string() }),
    role: 'owner',
    answers: 'text',
  },
  async (caller, { format, ...filter }) => {
    await failedSignInsOf(caller.chat).flush()
    const turn = pacer(caller)
    const lines: string[] = format === 'csv' ? [csvHead] : []
    let after = 0
    for (;;) {
      const page = await auditEntries(caller.db, filter, { after, count: PAGE })
      for (const entry of page) lines.push(format === 'csv' ? csvLine(entry) : jsonLine(entry))
      if (lines.length > MAX_EXPORTED) {
        throw badRequest(
          `More than ${MAX_EXPORTED} entries match. Narrow the dates, or run "chat-server audit" on the server.`,
        )
      }
      if (page.length < PAGE) break
      after = page.at(-1)!.id
      await turn()
    }
    // Copies of the log are part of it.
    await caller.write(async () => {})
    return { text: `${lines.join('\n')}\n` }
  },
)
