import type { Insertable } from 'kysely'
import { type AuditTable, statement } from '../../storage/index.ts'
import { readSubject, type SubjectKind } from './audit-subjects.ts'
import { seconds } from './base/clock.ts'
import { difference, type Facts, short } from './base/difference.ts'
import type { Caller, SystemTx, Tx } from './context.ts'
import type { User } from './user.ts'

/** The address of commands on the machine itself. */
export const COMMAND_LINE = 'command line'

export interface Act {
  action: string
  subject_kind: SubjectKind
  subject_id?: number | null | undefined
  before?: Facts | null
  after?: Facts | null
  outcome?: 'ok' | 'failed' | 'denied'
  /** Who did it, if the write has no user. */
  actor_id?: number | null
}

type NewRow = Required<Omit<Insertable<AuditTable>, 'id' | 'count'>>

const insertAct = statement((db, p: NewRow) =>
  db.insertInto('audit').values({
    at: p.at,
    actor_id: p.actor_id,
    on_behalf_of: p.on_behalf_of,
    key_id: p.key_id,
    address: p.address,
    client: p.client,
    action: p.action,
    subject_kind: p.subject_kind,
    subject_id: p.subject_id,
    before: p.before,
    after: p.after,
    outcome: p.outcome,
    count: 1,
  }),
)

/** Writes a row of the audit log in the commit of what it records. */
export async function recordAct(tx: SystemTx | Tx, act: Act): Promise<void> {
  const { chat, db, client, address = null } = tx
  const user: User | undefined = 'user' in tx && address !== COMMAND_LINE ? tx.user : undefined
  await insertAct(db, {
    at: seconds(chat.clock),
    actor_id: user?.id ?? act.actor_id ?? null,
    on_behalf_of: user?.bot_owner_id ?? null,
    key_id: ('user' in tx && tx.key_id) || null,
    address,
    client,
    action: act.action,
    subject_kind: act.subject_kind,
    subject_id: act.subject_id ?? null,
    before: json(act.before),
    after: json(act.after),
    outcome: act.outcome ?? 'ok',
  })
  recorded.get(chat)?.(tx)
}

const json = (facts: Facts | null | undefined): string | null =>
  facts ? JSON.stringify(Object.fromEntries(Object.entries(facts).map(([name, value]) => [name, short(value)]))) : null

/** What follows the log of a chat, if anything does. */
const recorded = new WeakMap<object, (tx: SystemTx) => void>()
export const onRecorded = (chat: SystemTx['chat'], follow: (tx: SystemTx) => void): void =>
  void recorded.set(chat, follow)

/** How the rows of an action are made. */
// biome-ignore lint/suspicious/noExplicitAny: a rule stands beside the schema of its action, whatever that has.
export interface AuditRule<P = any> {
  subject: SubjectKind
  /** The object that is changed. Without it, and without `made`, the subject is the only one of its kind. */
  id?(params: P, tx: Tx): number | null | undefined | Promise<number | null | undefined>
  /** The id of the object that the write has made, from what the write returns. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  made?(result: any): number
  /** What a row says besides the difference. It never contains secrets, or texts of messages. */
  // biome-ignore lint/suspicious/noExplicitAny: as above.
  details?(params: P, result: any, tx: Tx): Facts | undefined | Promise<Facts | undefined>
  /** Facts of the subject that a row of its own records. */
  apart?: readonly string[]
  /** Whether this call concerns others. */
  when?(params: P): boolean
  /** Whether each of several writes has its own details. */
  each?: true
}

const originals = new WeakMap<Caller, Caller>()
export const keepUnrecorded = (recorder: Caller, original: Caller): void => void originals.set(recorder, original)

/** Returns an action's caller with writes that the action's own audit entry leaves out. */
export const unrecorded = (caller: Caller): Caller => originals.get(caller) ?? caller

const without = (facts: Facts | null, apart: readonly string[] = []): Facts | null =>
  facts && Object.fromEntries(Object.entries(facts).filter(([name]) => !apart.includes(name)))

/** Runs the work of a write, and records how it changed the subject. No change, and no details, is no row. */
export async function record<T>(
  tx: Tx,
  { action, rule, params, isFirst = true }: { action: string; rule: AuditRule; params: unknown; isFirst?: boolean },
  work: () => Promise<T>,
): Promise<T> {
  const { subject, made, details } = rule
  const id = await rule.id?.(params, tx)
  const read = async (id: number | null | undefined) => without(await readSubject(tx.db, subject, id), rule.apart)
  const before = made ? null : await read(id)
  const result = await work()
  const subject_id = made ? made(result) : id
  const changed = difference(before, await read(subject_id))
  const more = details && (isFirst || rule.each) ? await details(params, result, tx) : undefined
  if (!changed && !more) return result
  const after = more || changed?.after ? { ...changed?.after, ...more } : null
  await recordAct(tx, { action, subject_kind: subject, subject_id, before: changed?.before ?? null, after })
  return result
}
