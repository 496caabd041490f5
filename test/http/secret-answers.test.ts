import assert from 'node:assert/strict'
import test from 'node:test'
import { eventTypes } from '../../src/core/events/types/table.ts'
import type { AnyAction } from '../../src/http/route-types.ts'
import { sections } from '../../src/http/routes/api.ts'
import { sessionSection } from '../../src/http/routes/session.ts'
import { siteSection } from '../../src/http/routes/site.ts'

// Answers that contain a credential are never compressed (`secret` of an action). A new one is recognized by its members.

interface Schema {
  readonly kind: 'schema'
  readonly [member: string]: unknown
}
const isSchema = (value: unknown): value is Schema =>
  typeof value === 'object' && value !== null && (value as Schema).kind === 'schema'

/** Returns the names of all members in a schema, including its parts. */
function membersOf(schema: unknown, names = new Set<string>(), seen = new Set<unknown>()): Set<string> {
  if (!isSchema(schema) || seen.has(schema)) return names
  seen.add(schema)
  const { entries = {}, options, items, pipe, item, value, wrapped } = schema
  for (const [name, part] of Object.entries(entries as object)) {
    names.add(name)
    membersOf(part, names, seen)
  }
  const parts = [options, items, pipe].flatMap((list) => (Array.isArray(list) ? list : []))
  for (const part of [...parts, item, value, wrapped]) membersOf(part, names, seen)
  return names
}

/** Names of keys, tokens and addresses that admit their readers. */
const SUSPICIOUS =
  /(^|_)(api_key|key|link|link_url)$|^url$|^recovery_codes$|token|secret|password|credential|cookie|csrf/
/** Members with such names, and why they are none. */
const harmless: Readonly<Record<string, string>> = {
  giphy_api_key: 'clients send it to GIPHY',
  klipy_api_key: 'clients send it to KLIPY',
  tenor_api_key: 'clients send it to Tenor',
  pending_push_token_id: 'a digest of the token of a device',
  push_token_id: 'a digest of the token of a device',
  push_token_last_updated_timestamp: 'a time',
  has_zoom_token: 'whether there is one',
  has_password: 'whether there is one',
  has_client_secret: 'whether there is one',
  lost_password: 'whether there was one',
  key: 'the name of an option of an integration',
  password_max_length: 'a rule',
  password_min_guesses: 'a rule',
  password_min_length: 'a rule',
  realm_password_auth_enabled: 'a setting',
  server_key: 'the public half of a pair',
}
/** Actions whose `url` admits nobody. */
const harmlessUrls: Readonly<Record<string, string>> = {
  getMessages: 'an address in a topic',
  getMessage: 'an address in a topic',
  getEvents: 'an address in a topic',
  uploadFile: 'a file that only people who may read it get',
}
/** Actions whose credential has a name that is harmless elsewhere. */
const others = ['getStreamEmail']
const suspiciousIn = (schema: unknown) =>
  [...membersOf(schema)].filter((name) => SUSPICIOUS.test(name) && !harmless[name])

const actions = new Map<string, AnyAction>()
for (const { routes } of [...sections, sessionSection, siteSection]) {
  for (const row of Object.values(routes)) for (const action of Object.values(row)) actions.set(action.name, action)
}

test('exactly the actions that return a credential declare it', () => {
  const found: string[] = [...others]
  for (const [name, { result, answers = 'json' }] of actions) {
    if (answers !== 'json') continue
    const names = suspiciousIn(result).filter((member) => member !== 'url' || !harmlessUrls[name])
    if (names.length > 0) found.push(name)
  }
  const declared = [...actions.values()].filter(({ secret }) => secret).map(({ name }) => name)
  assert.deepEqual(found.sort(), declared.sort())
  assert.ok(declared.length >= 15, `${declared}`)
})

test('only events about bots contain a credential', () => {
  const found = Object.entries(eventTypes).flatMap(([type, { read }]) =>
    suspiciousIn(read).some((name) => name !== 'url') ? [type] : [],
  )
  assert.deepEqual(found, ['realm_bot'])
})
