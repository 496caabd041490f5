import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import { seconds } from '../../kernel/base/clock.ts'
import type { Chat } from '../../kernel/chat.ts'
import { type Caller, contextOf, type Tx } from '../../kernel/context.ts'
import type { ChatError } from '../../kernel/errors.ts'
import { described, id } from '../../kernel/fields.ts'
import { id as idShape, unixTime } from '../../shapes/values.ts'
import { accessBot } from '../access.ts'
import { BOT_TYPES } from '../params.ts'

/** Deliveries kept of each bot. */
const KEPT = 20
/** Payloads are for finding errors, not for keeping. */
const PAYLOAD_SECONDS = 86_400
const MAX_PAYLOAD_LENGTH = 65_536

const outcome = v.picklist(['sent', 'ignored', 'failed'])

const deliveryShape = v.strictObject({
  id: idShape,
  received_at: unixTime,
  integration: v.string(),
  /** In the words of the service; empty if it doesn't name its events. */
  event: v.string(),
  outcome,
  /** Why it was ignored or failed; empty for one that was sent. */
  detail: v.string(),
  /** The message that it became. */
  message_id: v.nullable(idShape),
  /** The body, cut after 65,536 characters; null a day later. */
  payload: v.nullable(v.string()),
})

/** One request of another service. */
export interface Incoming {
  readonly integration: string
  /** What happened, in the words of the service; empty if it doesn't say. */
  readonly event: string
  /** The same when the service sends the event again. */
  readonly delivery?: string | undefined
  /** The body, for the list of deliveries. */
  readonly payload: string
}

interface Outcome {
  outcome: v.InferOutput<typeof outcome>
  detail?: string
  message_id?: number
}

/** Stores a delivery, and removes the oldest ones above the limit. */
export async function recordDelivery(tx: Tx, incoming: Incoming, result: Outcome): Promise<void> {
  const { integration, event, payload } = incoming
  const now = seconds(tx.chat.clock)
  const bot_id = tx.user.id
  const { id } = await tx.db
    .insertInto('incoming_delivery')
    .values({
      bot_id,
      integration,
      event: event.replaceAll('\0', '').slice(0, 200),
      outcome: result.outcome,
      detail: (result.detail ?? '').replaceAll('\0', '').slice(0, 500),
      message_id: result.message_id ?? null,
      payload: payload.slice(0, MAX_PAYLOAD_LENGTH).replaceAll('\0', ''),
      created_at: now,
    })
    .returning('id')
    .executeTakeFirstOrThrow()
  const extra = await tx.db
    .selectFrom('incoming_delivery')
    .select('id')
    .where('bot_id', '=', bot_id)
    .where('id', '<', id)
    .orderBy('id', 'desc')
    .offset(KEPT - 1)
    .limit(1)
    .executeTakeFirst()
  if (extra) {
    await tx.db.deleteFrom('incoming_delivery').where('bot_id', '=', bot_id).where('id', '<=', extra.id).execute()
  }
}

/** Errors of requests that are among the deliveries already. */
const recorded = new WeakSet<ChatError>()
export const noteRecorded = (error: ChatError): unknown => recorded.add(error)

/** Lists a request that never became an event among the deliveries of its bot: one that is too large, or not JSON. */
export async function recordRejected(caller: Caller, path: string, error: ChatError): Promise<void> {
  if (recorded.has(error) || caller.user.bot_type !== BOT_TYPES.incoming) return
  const integration = /\/external\/([^/]+)$/.exec(path)?.[1] ?? (/\/webhooks\//.test(path) ? 'discord' : 'slack_api')
  const incoming = { integration, event: '', payload: '' }
  await caller.write((tx) => recordDelivery(tx, incoming, { outcome: 'failed', detail: error.message }))
}

/** Removes payloads that are a day old, including the ones of idle bots. */
export async function removeOldPayloads(chat: Chat): Promise<void> {
  await contextOf(chat).write(({ db }) =>
    db
      .updateTable('incoming_delivery')
      .set({ payload: null })
      .where('payload', 'is not', null)
      .where('created_at', '<=', seconds(chat.clock) - PAYLOAD_SECONDS)
      .execute(),
  )
}

/**
 * GET /bots/{bot_id}/deliveries: lists the last 20 requests from other services to an incoming webhook, newest first,
 * with their outcomes.
 *
 * @throws BAD_REQUEST "No such bot"; "Insufficient permission" for another user's bot
 */
export const listDeliveries = action(
  {
    name: 'listDeliveries',
    summary: "List an incoming webhook's recent deliveries",
    params: v.object({ bot_id: described(id, 'ID of the bot.') }),
    result: v.strictObject({ deliveries: v.array(deliveryShape) }),
  },
  async (caller, { bot_id }) => {
    await accessBot(caller, bot_id)
    const rows = await caller.db
      .selectFrom('incoming_delivery')
      .selectAll()
      .where('bot_id', '=', bot_id)
      .orderBy('id', 'desc')
      .execute()
    const until = seconds(caller.chat.clock) - PAYLOAD_SECONDS
    return {
      deliveries: rows.map(({ bot_id: _, created_at, payload, outcome, ...row }) => ({
        ...row,
        outcome: outcome as v.InferOutput<typeof deliveryShape>['outcome'],
        received_at: created_at,
        payload: created_at > until ? payload : null,
      })),
    }
  },
)
