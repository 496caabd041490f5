import * as v from 'valibot'
import { action } from '../../kernel/action.ts'
import type { Caller } from '../../kernel/context.ts'
import { badRequest } from '../../kernel/errors.ts'
import { described, id, text } from '../../kernel/fields.ts'
import { empty, id as idShape } from '../../shapes/values.ts'
import { accessBot } from '../access.ts'
import { parsed } from './payload.ts'
import { integrations } from './table.ts'
import { MAX_TEMPLATE_LENGTH, requireTemplate } from './templates/liquid.ts'
import { type Template, templateReader } from './templates/service.ts'

const MAX_TEMPLATES = 100

const template = v.pipe(
  text,
  v.maxLength(MAX_TEMPLATE_LENGTH, `{name} is too long (limit: ${MAX_TEMPLATE_LENGTH} characters)`),
)
const lastPart = v.pipe(text, v.regex(/^[a-z][a-z0-9_-]{0,39}$/, '{name} must be lower-case letters, digits, - and _'))
const name = described(lastPart, 'The last part of its URL, after `/external/`.')
const content = described(template, "Liquid template of the message. An empty message isn't sent.")
const topic = described(
  v.nullish(template, ''),
  "Liquid template of the topic. If empty, the topic is the integration's name.",
)
const event = described(
  v.nullish(template, ''),
  "Liquid template of the event's name, which `only_events` and `exclude_events` filter by.",
)
const templateShape = v.strictObject({
  id: idShape,
  name: v.string(),
  event: v.string(),
  topic: v.string(),
  content: v.string(),
})
const templateId = { template_id: described(id, 'ID of the template.') }

/**
 * GET /realm/webhook_templates: the integrations that administrators made.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 */
export const listWebhookTemplates = action(
  {
    name: 'listWebhookTemplates',
    summary: 'List integrations that administrators made',
    params: v.object({}),
    result: v.strictObject({ webhook_templates: v.array(templateShape) }),
    role: 'administrator',
  },
  async ({ db }) => ({
    webhook_templates: await db
      .selectFrom('webhook_template')
      .select(['id', 'name', 'event', 'topic', 'content'])
      .orderBy('name')
      .execute(),
  }),
)

/**
 * POST /realm/webhook_templates: makes an integration without code. Any JSON that is posted to `/external/{name}` becomes a
 * message by these templates.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST for a name that is taken, and a template with an error
 */
export const createWebhookTemplate = action(
  {
    name: 'createWebhookTemplate',
    summary: 'Create an integration from templates',
    audit: { subject: 'webhook_template', made: ({ id }) => id },
    params: v.object({ name, content, topic, event }),
    result: v.strictObject({ id: idShape }),
    idempotencyKey: 'one write',
    role: 'administrator',
  },
  async (caller, row) => {
    await requireTemplates(row)
    return caller.write(async (tx) => {
      await requireFreeName(tx, row.name)
      const { count } = await tx.db
        .selectFrom('webhook_template')
        .select((x) => x.fn.countAll().as('count'))
        .executeTakeFirstOrThrow()
      if (Number(count) >= MAX_TEMPLATES) throw badRequest(`There may be at most ${MAX_TEMPLATES} templates.`)
      return tx.db.insertInto('webhook_template').values(row).returning('id').executeTakeFirstOrThrow()
    })
  },
)

/**
 * PATCH /realm/webhook_templates/{template_id}: changes what is given. A new name is a new address.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Invalid template", for a name that is taken, and a template with an error
 */
export const updateWebhookTemplate = action(
  {
    name: 'updateWebhookTemplate',
    summary: 'Update an integration made from templates',
    audit: { subject: 'webhook_template', id: ({ template_id }) => template_id },
    params: v.object({
      ...templateId,
      name: described(v.nullish(lastPart), 'The last part of its URL, after `/external/`.'),
      content: described(v.nullish(template), "Liquid template of the message. An empty message isn't sent."),
      topic: described(v.nullish(template), 'Liquid template of the topic.'),
      event: described(v.nullish(template), "Liquid template of the event's name."),
    }),
    result: empty,
    role: 'administrator',
  },
  async (caller, { template_id, ...given }) => {
    const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null))
    await requireTemplates(changes)
    return caller.write(async (tx) => {
      const row = await tx.db
        .selectFrom('webhook_template')
        .select('name')
        .where('id', '=', template_id)
        .executeTakeFirst()
      if (!row) throw badRequest('Invalid template')
      if (given.name != null && given.name !== row.name) await requireFreeName(tx, given.name)
      if (Object.keys(changes).length > 0) {
        await tx.db.updateTable('webhook_template').set(changes).where('id', '=', template_id).execute()
      }
      return {}
    })
  },
)

/**
 * DELETE /realm/webhook_templates/{template_id}: its address stops working.
 *
 * @throws UNAUTHORIZED_PRINCIPAL unless the caller is an administrator
 * @throws BAD_REQUEST "Invalid template"
 */
export const removeWebhookTemplate = action(
  {
    name: 'removeWebhookTemplate',
    summary: 'Remove an integration made from templates',
    audit: { subject: 'webhook_template', id: ({ template_id }) => template_id },
    params: v.object(templateId),
    result: empty,
    role: 'administrator',
  },
  (caller, { template_id }) =>
    caller.write(async ({ db }) => {
      const gone = await db.deleteFrom('webhook_template').where('id', '=', template_id).returning('id').execute()
      if (gone.length === 0) throw badRequest('Invalid template')
      return {}
    }),
)

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
    const value = parsed(used)
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
  if (row?.payload == null) throw badRequest('This bot has received no payload in the last 24 hours.')
  return row.payload
}

async function requireTemplates(given: Partial<Template>): Promise<void> {
  for (const part of ['event', 'topic', 'content'] as const)
    if (given[part] !== undefined) await requireTemplate(part, given[part])
}

async function requireFreeName({ db }: Caller, name: string): Promise<void> {
  const same = await db.selectFrom('webhook_template').select('id').where('name', '=', name).executeTakeFirst()
  if (same || integrations.some((integration) => integration.name === name))
    throw badRequest(`There already is an integration "${name}".`)
}
