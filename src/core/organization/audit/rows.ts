import type { Selectable } from 'kysely'
import * as v from 'valibot'
import type { AuditTable, Db } from '../../../storage/index.ts'
import { subjectKinds } from '../../kernel/audit-subjects.ts'
import { described, id, integer, text } from '../../kernel/fields.ts'
import { unixTime } from '../../shapes/values.ts'

const facts = v.nullable(v.record(v.string(), v.unknown()))

/** An entry of the audit log. */
export const entryShape = v.strictObject({
  id: integer,
  at: unixTime,
  /** null for the command line, the server itself, and people without an account. */
  actor_id: v.nullable(integer),
  actor_name: v.nullable(v.string()),
  /** The owner of an acting bot. */
  on_behalf_of: v.nullable(integer),
  /** The API key or session. It may be revoked by now. */
  key_id: v.nullable(integer),
  /** An IP address, without its last part after 30 days; `command line`; null inside the server's process. */
  address: v.nullable(v.string()),
  /** Name of the client program. */
  client: v.string(),
  action: v.string(),
  subject_kind: v.string(),
  subject_id: v.nullable(integer),
  /** What differed before: members with old values, or with the entries that lists lost. null for new objects. */
  before: facts,
  /** The same with the new values. */
  after: facts,
  outcome: v.picklist(['ok', 'failed', 'denied']),
  /** How often it happened within a minute, for failed sign-ins. */
  count: integer,
})
export type AuditEntry = v.InferOutput<typeof entryShape>

export const filterParams = {
  actor_id: described(v.nullish(id), 'Only what this user did.'),
  action: described(v.nullish(text), 'Only this action, by the name of its operation, or `signIn`.'),
  subject_kind: described(
    v.nullish(v.picklist(subjectKinds, 'Invalid {name}')),
    'Only changes of this kind of object.',
  ),
  subject_id: described(v.nullish(id), 'Only changes of the object with this ID, together with its kind.'),
  outcome: described(
    v.nullish(v.picklist(['ok', 'failed', 'denied'], 'Invalid {name}')),
    '`failed` for failed sign-ins, `denied` for right credentials that may not sign in.',
  ),
  since: described(v.nullish(integer), 'Only entries from this time on, in seconds since 1970.'),
  until: described(v.nullish(integer), 'Only entries before this time, in seconds since 1970.'),
}
export type AuditFilter = v.InferOutput<v.ObjectSchema<typeof filterParams, undefined>>

interface Part {
  count: number
  /** Entries before this one, newest first. */
  before?: number | undefined
  /** Entries after this one, oldest first. */
  after?: number | undefined
}

export async function auditEntries(db: Db, filter: AuditFilter, { count, before, after }: Part): Promise<AuditEntry[]> {
  let query = db
    .selectFrom('audit')
    .leftJoin('user', 'user.id', 'audit.actor_id')
    .selectAll('audit')
    .select('user.full_name as actor_name')
    .orderBy('audit.id', after === undefined ? 'desc' : 'asc')
    .limit(count)
  for (const name of ['actor_id', 'action', 'subject_kind', 'subject_id', 'outcome'] as const) {
    const value = filter[name]
    if (value != null) query = query.where(`audit.${name}`, '=', value)
  }
  if (filter.since != null) query = query.where('audit.at', '>=', filter.since)
  if (filter.until != null) query = query.where('audit.at', '<', filter.until)
  if (before !== undefined) query = query.where('audit.id', '<', before)
  if (after !== undefined) query = query.where('audit.id', '>', after)
  return (await query.execute()).map(entryOf)
}

const entryOf = ({ before, after, ...row }: Selectable<AuditTable> & { actor_name: string | null }): AuditEntry => ({
  ...row,
  before: before === null ? null : JSON.parse(before),
  after: after === null ? null : JSON.parse(after),
})
