import * as v from 'valibot'
import { action } from '../kernel/action.ts'
import { seconds } from '../kernel/base/clock.ts'
import { MAX_REPORT_LENGTH } from '../kernel/base/limits.ts'
import { type Caller, inSnapshot, type Tx } from '../kernel/context.ts'
import { badRequest, ChatError } from '../kernel/errors.ts'
import { bool, described, id, integer, maxCharacters, text } from '../kernel/fields.ts'
import { secretsOf } from '../kernel/secrets.ts'
import { removeMessages } from '../messages/edit/delete.ts'
import { emitReport, type Report } from '../review/report-rows.ts'
import { empty, ids } from '../shapes/values.ts'
import { accessModerated } from './rights.ts'

const PAGE = 50
const states = ['open', 'taken', 'closed'] as const
const state = v.picklist(states, 'Invalid {name}')

const reportShape = v.strictObject({
  id,
  message_id: id,
  author_id: id,
  /** When the message was sent, in Unix seconds. */
  sent_at: integer,
  /** Where it was when it was reported: a topic, or the participants of a direct conversation. */
  place: v.union([v.strictObject({ stream_id: id, topic: v.string() }), v.strictObject({ user_ids: ids })]),
  /** Its Markdown as it was first reported; null if it was sealed with another secret. */
  content: v.nullable(v.string()),
  /** Whether the message was deleted since. */
  is_deleted: v.boolean(),
  state,
  /** The moderator who took or closed the report. */
  taken_by: v.nullable(id),
  decision: v.string(),
  /** When it was last reported, in Unix seconds. */
  reported_at: integer,
  closed_at: v.nullable(integer),
  /** The newest hundred. */
  reasons: v.array(v.strictObject({ user_id: id, type: v.string(), description: v.string(), at: integer })),
})

/**
 * GET /reports: lists messages that were reported to the moderators, newest first. Reports of the caller's own messages
 * are left out.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is a moderator
 * @example
 * const { reports } = await listReports(admin, { state: 'open' })
 */
export const listReports = action(
  {
    name: 'listReports',
    summary: 'List reported messages',
    params: v.object({
      state: described(v.nullish(state), 'Only reports in this state: open, taken or closed.'),
      before: described(v.nullish(id), 'Only reports before this one: `next` of the previous page.'),
    }),
    result: v.strictObject({
      /** At most 50. */
      reports: v.array(reportShape),
      /** The `before` of the next page; null on the last. */
      next: v.nullable(integer),
      /** Reports in each state. */
      counts: v.strictObject({ open: integer, taken: integer, closed: integer }),
    }),
    role: 'moderator',
  },
  (caller, { state, before }) =>
    inSnapshot(caller, async (reader) => {
      let query = visible(reader)
        .selectAll()
        .orderBy('id', 'desc')
        .limit(PAGE + 1)
      if (state != null) query = query.where('state', '=', state)
      if (before != null) query = query.where('id', '<', before)
      const found = await query.execute()
      const counted = await visible(reader)
        .select((eb) => ['state', eb.fn.countAll<number>().as('count')])
        .groupBy('state')
        .execute()
      const counts = { open: 0, taken: 0, closed: 0 }
      for (const { state, count } of counted) counts[state as keyof typeof counts] = Number(count)
      const shown = found.slice(0, PAGE)
      return {
        reports: await viewsOf(reader, shown),
        next: found.length > PAGE ? shown.at(-1)!.id : null,
        counts,
      }
    }),
)

/**
 * PATCH /reports/{report_id}: takes, closes or opens a report, or deletes its message. A report that another moderator
 * has taken must be opened first.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is a moderator; to delete the message, who may moderate its author
 * @throws BAD_REQUEST "No such report"; with status 409 if another moderator has taken or closed it
 */
export const updateReport = action(
  {
    name: 'updateReport',
    summary: 'Update a report',
    audit: {
      subject: 'report',
      id: ({ report_id }) => report_id,
      details: ({ delete_message }) => (delete_message ? { message: 'deleted' } : undefined),
    },
    params: v.object({
      report_id: described(id, 'ID of the report.'),
      state: described(v.nullish(state), '`taken` while the caller looks into it, `closed`, or `open` again.'),
      decision: described(
        v.nullish(v.pipe(text, v.trim(), maxCharacters(MAX_REPORT_LENGTH))),
        'What was decided, for other moderators. At most 1,000 characters.',
      ),
      delete_message: described(v.nullish(bool, false), 'Whether to delete the message, for everyone.'),
    }),
    result: empty,
    role: 'moderator',
  },
  (caller, { report_id, state, decision, delete_message }) =>
    caller.write(async (tx) => {
      const report = await accessReport(tx, report_id)
      if (state == null && decision == null && !delete_message) throw badRequest('Nothing to change')
      requireFree(tx, report, state ?? undefined)
      if (delete_message) await deleteReported(tx, report)
      const changed = { ...(state != null && stateColumns(tx, state)), ...(decision != null && { decision }) }
      if (Object.keys(changed).length > 0)
        await tx.db.updateTable('report').set(changed).where('id', '=', report.id).execute()
      await emitReport(tx, { ...report, ...changed })
      return {}
    }),
)

/**
 * Reports that the caller may see: not of their own messages, because a report names who made it. A bot counts as its
 * owner.
 */
function visible({ db, user }: Pick<Caller, 'db' | 'user'>) {
  const own = user.bot_owner_id ?? user.id
  return db
    .selectFrom('report')
    .where('author_id', '!=', own)
    .where((eb) =>
      eb.not(
        eb.exists(
          eb
            .selectFrom('user')
            .select('user.id')
            .whereRef('user.id', '=', 'report.author_id')
            .where('user.bot_owner_id', '=', own),
        ),
      ),
    )
}

async function accessReport(tx: Tx, report_id: number): Promise<Report> {
  const report = await visible(tx).selectAll().where('id', '=', report_id).executeTakeFirst()
  if (!report) throw badRequest('No such report')
  return report
}

/** Throws if another moderator works on the report, or the change was already made by somebody else. */
function requireFree({ user }: Tx, report: Report, state: (typeof states)[number] | undefined): void {
  if (state === 'open') return
  const conflict = (message: string) =>
    new ChatError('BAD_REQUEST', message, { state: report.state, taken_by: report.taken_by }, 'conflict')
  if (report.state === 'taken' && report.taken_by !== user.id)
    throw conflict('Another moderator has taken this report.')
  if (report.state === 'closed' && state !== undefined) throw conflict('This report is closed. Open it again first.')
}

const stateColumns = (tx: Tx, state: (typeof states)[number]) => ({
  state,
  taken_by: state === 'open' ? null : tx.user.id,
  closed_at: state === 'closed' ? seconds(tx.chat.clock) : null,
})

/** Deletes the message of a report, unless it is gone already. */
async function deleteReported(tx: Tx, { message_id, author_id }: Report): Promise<void> {
  await accessModerated(tx, author_id)
  const message = await tx.db.selectFrom('message').selectAll().where('id', '=', message_id).executeTakeFirst()
  if (message) await removeMessages(tx, [message])
}

/** Reasons of a report in the response: very many people may report the same message. */
const MAX_REASONS = 100

type ReportView = v.InferOutput<typeof reportShape>

async function viewsOf(caller: Caller, reports: readonly Report[]): Promise<ReportView[]> {
  if (reports.length === 0) return []
  const message_ids = reports.map(({ message_id }) => message_id)
  const there = await caller.db.selectFrom('message').select('id').where('id', 'in', message_ids).execute()
  const existing = new Set(there.map(({ id }) => id))
  const secrets = secretsOf(caller.chat)
  const reasons = await reasonsOf(caller, reports)
  const views: ReportView[] = []
  for (const { place, content, state, ...report } of reports) {
    views.push({
      ...report,
      place: JSON.parse(place) as ReportView['place'],
      content: secrets.unseal(content) ?? null,
      is_deleted: !existing.has(report.message_id),
      state: state as ReportView['state'],
      reasons: reasons.filter(({ report_id }) => report_id === report.id).map(({ report_id: _, ...reason }) => reason),
    })
  }
  return views
}

const reasonColumns = ['report_id', 'user_id', 'type', 'description', 'at'] as const

/** The newest reasons of each report. */
const reasonsOf = ({ db }: Caller, reports: readonly Report[]) =>
  db
    .selectFrom((eb) =>
      eb
        .selectFrom('report_reason')
        .select(reasonColumns)
        .select(({ fn }) =>
          fn
            .agg<number>('row_number')
            .over((over) => over.partitionBy('report_id').orderBy('at', 'desc').orderBy('user_id'))
            .as('place'),
        )
        .where(
          'report_id',
          'in',
          reports.map(({ id }) => id),
        )
        .as('numbered'),
    )
    .select(reasonColumns)
    .where('place', '<=', MAX_REASONS)
    .orderBy('place')
    .execute()
