import { flag } from '../../../storage/index.ts'
import { requireVoice } from '../../access/silence.ts'
import { keepForScheduled } from '../../files/unsent.ts'
import { seconds } from '../../kernel/base/clock.ts'
import { parseIsoMs } from '../../kernel/base/times.ts'
import type { Caller, Tx } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { defineService } from '../../kernel/service.ts'
import { requireAccepted } from '../../review/filters/require.ts'
import { applying, topicMatches } from './content-filters.ts'
import { requireGroupMentions } from './group-mentions.ts'
import type { Prepared } from './prepare.ts'
import type { Recipient } from './recipient.ts'
import { emitScheduled } from './scheduled-view.ts'

/** Sends scheduled messages when they are due. It is implemented on a higher floor. */
export interface Scheduler {
  /** Checks when the next message is due. Call it after scheduling a message and when the chat opens. */
  wake(): void
  stop(): void
  /** Resolves when all due messages have been handled. */
  settled(): Promise<void>
}

export const schedulerOf = defineService<Scheduler>('scheduler')

/** Returns when to deliver a message, in seconds; undefined for immediately. Throws for an invalid or past time. */
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

/** The end of the year 9999: clients cannot parse a later time. */
export const LATEST = 253_402_300_799

/** Parses ISO 8601 (UTC by default) or Unix seconds, to seconds. */
function parseTime(text: string): number | undefined {
  const trimmed = text.trim()
  const seconds = /^\d{1,12}(\.\d+)?$/.test(trimmed) ? Number(trimmed) : (parseIsoMs(trimmed) ?? Number.NaN) / 1000
  return seconds <= LATEST ? Math.floor(seconds) : undefined
}

/** Stores a message for later; the scheduler delivers it when it is due. */
export async function schedule(
  tx: Tx,
  recipient: Recipient,
  prepared: Prepared,
  deliver_at: number,
  read_by_sender?: boolean,
): Promise<number> {
  await requireVoice(tx)
  requireAccepted(applying(tx, recipient, prepared.matches), true)
  if (recipient.kind === 'stream') await topicMatches(tx, recipient.stream.id, recipient.topic)
  await requireGroupMentions(tx, prepared.rendered)
  const { count } = await tx.db
    .selectFrom('scheduled_message')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('sender_id', '=', tx.user.id)
    .executeTakeFirstOrThrow()
  const { scheduledPerUser } = tx.chat.options.limits
  if (count >= scheduledPerUser) {
    throw badRequest(`Too many scheduled messages; at most ${scheduledPerUser} per user`)
  }
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
      read_by_sender: read_by_sender === undefined ? null : flag(read_by_sender),
    })
    .returningAll()
    .executeTakeFirstOrThrow()
  tx.afterCommit(() => schedulerOf(tx.chat).wake())
  await keepForScheduled(tx, row.id, row.content)
  await emitScheduled(tx, row)
  return row.id
}
