import { flag } from '../../../storage/index.ts'
import { seconds } from '../../clock.ts'
import type { Caller, Tx } from '../../context.ts'
import { badRequest } from '../../errors.ts'
import { defineService } from '../../service.ts'
import type { Prepared } from './prepare.ts'
import type { Recipient } from './recipient.ts'
import { emitScheduled } from './scheduled-view.ts'

/** Sends what was scheduled, when it is due; it runs above this floor. */
export interface Scheduler {
  /** Something was scheduled, or the chat just opened: look when the next message is due. */
  wake(): void
  stop(): void
  /** Resolves when what was due has been dealt with. */
  settled(): Promise<void>
}

export const schedulerOf = defineService<Scheduler>('scheduler')

const ISO_8601 = /^\d{4}-\d\d-\d\d([T ]\d\d:\d\d(:\d\d(\.\d+)?)?)?\s?(Z|[+-]\d\d:?\d\d)?$/

/** When a send is to be delivered, in seconds; undefined for at once. Throws on a time that is none, or past. */
export function deliveryTime(
  { chat }: Caller,
  { deliver_at, delivery_type }: { deliver_at?: string | null | undefined; delivery_type?: string | null | undefined },
): number | undefined {
  const type = delivery_type ?? 'send_later'
  if (!deliver_at) {
    if (delivery_type === 'send_later') throw badRequest('Missing deliver_at in a request for message delayed delivery')
    return undefined
  }
  if (type !== 'send_later') throw badRequest('Invalid delivery_type')
  const at = parseTime(deliver_at)
  if (at === undefined) throw badRequest('Invalid time format')
  if (at <= seconds(chat.clock)) throw badRequest('Time must be in the future.')
  return at
}

/** The end of the year 9999: what is later has no spelling that clients can read. */
const LATEST = 253_402_300_799

/** ISO 8601 (UTC unless it says otherwise) or Unix seconds. */
export function parseTime(text: string): number | undefined {
  const at = parseAnyTime(text.trim())
  return at === undefined || at > LATEST ? undefined : at
}

function parseAnyTime(trimmed: string): number | undefined {
  if (/^\d{1,12}(\.\d+)?$/.test(trimmed)) return Math.floor(Number(trimmed))
  if (!ISO_8601.test(trimmed)) return undefined
  // Date would take the 30th of February for the 2nd of March.
  const day = trimmed.slice(0, 10)
  const exists = Date.parse(`${day}T00:00:00Z`)
  if (Number.isNaN(exists) || !new Date(exists).toISOString().startsWith(day)) return undefined
  const zoned = /(Z|[+-]\d\d:?\d\d)$/.test(trimmed) && trimmed.length > 10 ? trimmed : `${trimmed}Z`
  const ms = Date.parse(zoned.replace(' ', 'T'))
  return Number.isNaN(ms) ? undefined : Math.floor(ms / 1000)
}

/** Stores a message for later; the scheduler delivers it when it is due. */
export async function schedule(tx: Tx, recipient: Recipient, prepared: Prepared, deliver_at: number): Promise<number> {
  const row = await tx.db
    .insertInto('scheduled_message')
    .values({
      sender_id: tx.user.id,
      conversation_id: recipient.conversation_id,
      topic: recipient.kind === 'stream' ? recipient.topic : null,
      content: prepared.content,
      rendered_content: prepared.rendered.html,
      client: tx.client,
      deliver_at,
      failed: flag(false),
      failure_message: null,
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  tx.afterCommit(() => schedulerOf(tx.chat).wake())
  await emitScheduled(tx, row)
  return row.id
}
