import * as v from 'valibot'
import { everyone } from '../../events/log/audience.ts'
import { emit } from '../../events/log/emit.ts'
import type { LoggedEvent } from '../../events/types/table.ts'
import { action } from '../../kernel/action.ts'
import type { Tx } from '../../kernel/context.ts'
import { badRequest, invalidField } from '../../kernel/errors.ts'
import { described, id, text } from '../../kernel/fields.ts'
import { empty, id as idShape } from '../../shapes/values.ts'
import { integrations } from './table.ts'
import { MAX_TEMPLATE_LENGTH, requireTemplate } from './templates/liquid.ts'
import type { Template } from './templates/service.ts'
import { integrationOfTemplate, type StoredTemplate, storedTemplates } from './templates/stored.ts'

const MAX_TEMPLATES = 100
/** Of the events. */
const type = 'realm_incoming_webhook_bots'

const template = v.pipe(
  text,
  v.maxLength(MAX_TEMPLATE_LENGTH, `{name} is too long (limit: ${MAX_TEMPLATE_LENGTH} characters)`),
)
const lastPart = v.pipe(text, v.regex(/^[a-z][a-z0-9_-]{0,39}$/, '{name} must be lower-case letters, digits, - and _'))
const name = described(lastPart, 'The last part of its address, after `/external/`.')
export const content = described(template, 'The message, in Liquid. An empty message is ignored.')
export const topic = described(v.nullish(template, ''), 'The topic, in Liquid. If it is empty, the name.')
export const event = described(
  v.nullish(template, ''),
  'What happened, in Liquid. Addresses choose by it with `only_events` and `exclude_events`.',
)
const templateShape = v.strictObject({
  id: idShape,
  name: v.string(),
  event: v.string(),
  topic: v.string(),
  content: v.string(),
})
const templateId = { template_id: described(id, 'Id of the template.') }

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
  async (caller) => ({ webhook_templates: [...(await storedTemplates.get(caller))] }),
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
    summary: 'Make an integration from templates',
    params: v.object({ name, content, topic, event }),
    result: v.strictObject({ id: idShape }),
    idempotencyKey: 'one write',
    role: 'administrator',
  },
  async (caller, row) => {
    await requireTemplates(row)
    return caller.write(async (tx) => {
      const others = await storedTemplates.get(tx)
      requireFreeName(others, row.name)
      if (others.length >= MAX_TEMPLATES) throw badRequest(`There may be at most ${MAX_TEMPLATES} templates.`)
      const { id } = await tx.db.insertInto('webhook_template').values(row).returning('id').executeTakeFirstOrThrow()
      await announce(tx, { type, op: 'add', integration: integrationOfTemplate(row) })
      return { id }
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
    summary: 'Change an integration made from templates',
    params: v.object({
      ...templateId,
      name: described(v.nullish(lastPart), 'The last part of its address, after `/external/`.'),
      content: described(v.nullish(template), 'The message, in Liquid. An empty message is ignored.'),
      topic: described(v.nullish(template), 'The topic, in Liquid.'),
      event: described(v.nullish(template), 'What happened, in Liquid.'),
    }),
    result: empty,
    role: 'administrator',
  },
  async (caller, { template_id, ...given }) => {
    const changes = Object.fromEntries(Object.entries(given).filter(([, value]) => value != null))
    await requireTemplates(changes)
    return caller.write(async (tx) => {
      const all = await storedTemplates.get(tx)
      const row = all.find(({ id }) => id === template_id)
      if (!row) throw badRequest('Invalid template')
      if (given.name != null && given.name !== row.name) requireFreeName(all, given.name)
      if (Object.keys(changes).length === 0) return {}
      await tx.db.updateTable('webhook_template').set(changes).where('id', '=', template_id).execute()
      const integration = integrationOfTemplate({ ...row, ...changes })
      await announce(tx, { type, op: 'update', name: row.name, integration })
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
    params: v.object(templateId),
    result: empty,
    role: 'administrator',
  },
  (caller, { template_id }) =>
    caller.write(async (tx) => {
      const gone = await tx.db
        .deleteFrom('webhook_template')
        .where('id', '=', template_id)
        .returning('name')
        .executeTakeFirst()
      if (!gone) throw badRequest('Invalid template')
      await announce(tx, { type, op: 'remove', name: gone.name })
      return {}
    }),
)

async function requireTemplates(given: Partial<Template>): Promise<void> {
  for (const part of ['event', 'topic', 'content'] as const)
    if (given[part] !== undefined) await requireTemplate(part, given[part])
}

function requireFreeName(templates: readonly StoredTemplate[], name: string): void {
  if ([...integrations, ...templates].some((one) => one.name === name))
    throw invalidField('name', `There already is an integration "${name}".`)
}

async function announce(tx: Tx, event: LoggedEvent<typeof type>): Promise<void> {
  storedTemplates.invalidate(tx)
  await emit(tx, event, everyone)
}
