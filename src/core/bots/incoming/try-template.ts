import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import type { Caller } from '../../kernel/context.ts'
import { badRequest, ChatError, invalidField, isChatError } from '../../kernel/errors.ts'
import { described, id, text } from '../../kernel/fields.ts'
import { accessBot } from '../access.ts'
import { content, event, topic } from './edit-templates.ts'
import { parsed } from './payload.ts'
import { templateReader } from './templates/service.ts'

/**
 * POST /realm/webhook_templates/test: what templates make of a payload, or of the last one that a bot received. Sends nothing.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST for a template with an error, and without a payload
 */
export const testWebhookTemplate = action(
  {
    name: 'testWebhookTemplate',
    summary: 'Try templates on a payload',
    params: v.object({
      content,
      topic,
      event,
      payload: described(v.nullish(text), 'The payload, as JSON.'),
      bot_id: described(v.nullish(id), 'The bot whose last payload is used if `payload` is missing.'),
    }),
    result: v.strictObject({
      event: v.string(),
      /** The topic and the message; null if the payload becomes no message. */
      topic: v.nullable(v.string()),
      content: v.nullable(v.string()),
      /** The payload that was used. */
      payload: v.string(),
    }),
    role: 'administrator',
  },
  async (caller, { payload, bot_id, ...given }) => {
    const used = payload ?? (await lastPayload(caller, bot_id))
    const read = await templateReader(given)
    const value = payloadOf(used)
    const result = read.announcement(value, '')
    const { topic, content } = 'skipped' in result ? { topic: null, content: null } : result
    return { event: read.event(value), topic, content, payload: used }
  },
)

async function lastPayload(caller: Caller, bot_id: number | null | undefined): Promise<string> {
  if (bot_id == null) throw badRequest('Give either "payload" or "bot_id".')
  await accessBot(caller, bot_id)
  const row = await caller.db
    .selectFrom('incoming_delivery')
    .select('payload')
    .where('bot_id', '=', bot_id)
    .where('payload', 'is not', null)
    .orderBy('id', 'desc')
    .executeTakeFirst()
  if (row?.payload == null) throw invalidField('bot_id', 'This bot has received no payload in the last 24 hours.')
  return row.payload
}

function payloadOf(text: string): unknown {
  try {
    return parsed(text)
  } catch (error) {
    if (isChatError(error)) throw new ChatError(error.code, error.message, { errors: { payload: [error.message] } })
    throw error
  }
}
