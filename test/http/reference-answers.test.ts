import assert from 'node:assert/strict'
import { readFileSync } from 'node:fs'
import test from 'node:test'
import { API_PREFIX } from '../../src/http/app.ts'
import { openApiDocument } from '../../src/http/openapi/document.ts'
import { sections } from '../../src/http/routes/api.ts'

/**
 * The names of all members of answers and events in the reference, as of feature level 263, by operation and by type and
 * op of the event: `streams.name` is a member of the entries of a list, `*` of an object with keys of its own. Each must
 * be in our schemas too, against which tests hold every answer and event they see.
 */
const reference = JSON.parse(
  readFileSync(new URL('../fixtures/reference-answers.json', import.meta.url), 'utf8'),
) as Record<'answers' | 'events', Record<string, string>>

/** What is not there at level 489, or not here, and why. */
const exceptions: readonly [RegExp, string][] = [
  [/prev_rendered_content_version$/, 'gone at 284'],
  [/giphy_rating(_options|$)/, 'gone at 453'],
  [/realm_is_zephyr_mirror_realm$/, 'gone at 426'],
  [/reactions\.user(\.|$)/, 'gone at 328 and 339'],
  [/^reaction (add|remove) user(\.|$)/, 'gone at 484'],
  [/attachments?\.messages(\.|$)/, 'ids since 443'],
  [/can_subscribe_other_users$/, 'gone at 341'],
  [/dense_mode$/, 'gone at 364'],
  [/^POST \/register is_billing_admin$/, 'gone at 363'],
  [/realm_default_streams?\./, 'ids since 330'],
  [/default_stream(_group)?s\.streams?\./, 'ids since 330'],
  [/^default_streams default_streams\./, 'ids since 330'],
  [/_policy$/, 'policies became groups from 291 to 344'],
  [/allow_edit_history$/, 'a policy since 358'],
  [/presences?\.\*/, 'keys by name of a client; presence is held by its own tests'],
  [/authentication_methods\./, 'ways of signing in that this server does not have'],
  [/services\.(config_data|service_name)$/, 'embedded bots, which this server has not'],
  [/demo_organization/, 'only of demonstrations'],
  [
    /^POST \/(mark_all_as_read complete|messages automatic_new_visibility_policy)$/,
    'the specification has no such member',
  ],
  [/email_address email$|bigbluebutton\/create url$/, 'refused: nothing of the kind is there'],
  [/realm_(embedded|incoming_webhook)_bots\.(config|name)$/, 'embedded bots; config_options since 8.0'],
  [/\.(allow_owners_group|id_field_name)$/, 'gone before 371'],
  [/^realm_user update person\.is_billing_admin$/, 'gone at 363'],
  [/^message message\.(edit_history|last_edit_timestamp)/, 'a new message was not edited'],
  [/^has_zoom_token$|^realm update extra_data|^web_reload_client$/, 'nothing of the kind happens here'],
  [/^realm_filters$/, 'always empty since 176, and never changes'],
  [/^realm_bot remove$/, 'delete, at 371'],
  [
    /^(realm_bot (add|update)|.*realm_bots) ?.*\.(api_key|avatar_url|bot_type|email|full_name|is_active|owner_id)$/,
    'gone at 474',
  ],
  [
    /^POST \/register (?!realm_|server_|can_|is_|max_|user_settings)[a-z_]+(\.(key|text))?$/,
    'settings left the top level at 439',
  ],
  [/^update_(display_settings|global_notifications)/, 'gone at 439'],
  [/unmuted_stream_msg$/, 'computed by clients'],
  [/^stream delete streams\.(?!stream_id$)/, 'ids since 343'],
  [/^restart$/, 'a queue goes on over a restart as if there had been none'],
  [/^realm update_dict data\./, 'names of settings, which are held by their table'],
  [/zephyr_mirror_active$/, 'of a protocol of 1988'],
]
const isExcepted = (name: string): boolean => exceptions.some(([pattern]) => pattern.test(name))

// biome-ignore lint/suspicious/noExplicitAny: JSON schemas of all shapes.
type Schema = any

const document: Schema = await openApiDocument(sections.map((section) => ({ ...section, prefix: API_PREFIX })))

function resolved(schema: Schema): Schema {
  if (schema?.$ref === undefined) return schema ?? {}
  const path = (schema.$ref as string).split('/').slice(1)
  return resolved(path.reduce((inner: Schema, key) => inner[key], document))
}

/** Names of all members of what a schema describes. */
function members(given: Schema, before = '', found = new Set<string>(), depth = 0): Set<string> {
  if (depth > 8) return found
  const schema = resolved(given)
  for (const [name, inner] of Object.entries(schema.properties ?? {})) {
    found.add(before + name)
    members(inner, `${before}${name}.`, found, depth + 1)
  }
  for (const inner of [schema.items ?? [], schema.prefixItems ?? []].flat()) members(inner, before, found, depth + 1)
  if (typeof schema.additionalProperties === 'object') {
    members(schema.additionalProperties, `${before}*.`, found, depth + 1)
  }
  for (const inner of variantsOf(schema)) members(inner, before, found, depth + 1)
  return found
}

const variantsOf = (schema: Schema): Schema[] => [
  ...(schema.allOf ?? []),
  ...(schema.anyOf ?? []),
  ...(schema.oneOf ?? []),
]
const shapeOf = (path: string) => path.replace(/\{\w+\}/g, '{}')
const answerOf = (operation: Schema) => operation.responses?.['200']?.content?.['application/json']?.schema

const answers = new Map<string, Schema>()
for (const [path, item] of Object.entries<Schema>(document.paths)) {
  for (const [method, operation] of Object.entries<Schema>(item)) {
    answers.set(`${method.toUpperCase()} ${shapeOf(path.slice(API_PREFIX.length))}`, answerOf(operation))
  }
}

/** All shapes of events, by type and op. */
const events = new Map<string, Schema[]>()
function collect(given: Schema): void {
  const schema = resolved(given)
  const { type, op } = schema.properties ?? {}
  if (type?.const === undefined) {
    variantsOf(schema).forEach(collect)
    return
  }
  const name = op?.const === undefined ? type.const : `${type.const} ${op.const}`
  events.set(name, [...(events.get(name) ?? []), schema])
}
const withEvents = resolved(answers.get('GET /events'))
for (const part of [withEvents, ...variantsOf(withEvents).map(resolved)]) collect(part.properties?.events?.items)

const missing = (table: Record<string, string>, schemasOf: (name: string) => Schema[] | undefined) =>
  Object.entries(table).flatMap(([name, keys]) => {
    const schemas = schemasOf(name)
    if (!schemas) return isExcepted(name) ? [] : [name]
    const ours = new Set(schemas.flatMap((schema) => [...members(schema)]))
    return keys
      .split(' ')
      .flatMap((key) => (key === '' || ours.has(key) || isExcepted(`${name} ${key}`) ? [] : [`${name} ${key}`]))
  })

test("our answers have every field of upstream's answers", () => {
  const found = missing(reference.answers, (name) => {
    const [method, path] = name.split(' ') as [string, string]
    const schema = answers.get(`${method} ${shapeOf(path)}`)
    return schema && [schema]
  })
  assert.deepEqual(found, [])
  assert.ok(Object.keys(reference.answers).length > 55)
})

test("our events have every field of upstream's events", () => {
  assert.deepEqual(
    missing(reference.events, (name) => events.get(name)),
    [],
  )
  assert.ok(Object.keys(reference.events).length > 65)
})

test('every exception is needed', () => {
  const names = [...Object.entries(reference.answers), ...Object.entries(reference.events)].flatMap(([name, keys]) => [
    name,
    ...keys.split(' ').map((key) => `${name} ${key}`),
  ])
  assert.deepEqual(
    exceptions.filter(([pattern]) => !names.some((name) => pattern.test(name))),
    [],
  )
})
