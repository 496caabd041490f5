import assert from 'node:assert/strict'
import test from 'node:test'
import { ownTableNames } from '../../src/core/accounts/own-tables.ts'
import { actionScopes } from '../../src/core/kernel/action-scopes.ts'
import { type KeyScope, keyScopes, scopeOf } from '../../src/core/kernel/scopes.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { createApp } from '../../src/http/app.ts'
import type { AnyAction } from '../../src/http/route-types.ts'
import { sections } from '../../src/http/routes/api.ts'
import { compatibleSection } from '../../src/http/routes/compatible.ts'
import { scimSection } from '../../src/http/routes/scim.ts'
import { sessionSection } from '../../src/http/routes/session.ts'
import { siteSection } from '../../src/http/routes/site.ts'
import { type Person, type World, world } from '../../src/testing/index.ts'

interface Row {
  readonly path: string
  readonly method: string
  readonly action: AnyAction
}

/** Every operation of the server that needs an account. */
const rows: Row[] = []
const visitors = new Set<string>()
for (const { routes, prefix = '' } of [
  ...sections.map((section) => ({ ...section, prefix: '/api/v1' })),
  sessionSection,
  siteSection,
  compatibleSection,
  scimSection,
])
  for (const [path, row] of Object.entries(routes))
    for (const [method, action] of Object.entries(row)) {
      if (action.role === 'visitor') visitors.add(action.name)
      else rows.push({ path: prefix + path, method, action })
    }

/** What a key with each scope permits. */
const permitted: Readonly<Record<KeyScope, readonly string[]>> = {
  read: ['read'],
  send: ['send'],
  webhook: ['webhook'],
  write: ['read', 'send', 'webhook', 'write'],
  manage: ['read', 'send', 'webhook', 'write', 'manage'],
  provision: ['provision'],
  provision_groups: ['provision', 'provision_groups'],
}

const calls = ['createBigBlueButtonCall', 'createConstructorGroupsCall', 'createNextcloudTalkCall']

/** Actions that read although they aren't a GET. */
const reading = new Set(['register', 'deleteQueue', 'renderMessage'])

test('every action that needs an account says which scope it needs', () => {
  const names = new Set(rows.map(({ action }) => action.name))
  assert.deepEqual([...names].filter((name) => !actionScopes.has(name)).toSorted(), [])
  assert.deepEqual([...actionScopes.keys()].filter((name) => !names.has(name)).toSorted(), [])
  assert.deepEqual(
    [...actionScopes.keys()].filter((name) => visitors.has(name)),
    [],
  )
})

test('only actions that read have the scope for reading, and no answer with a key or an invitation has a scope', () => {
  for (const { action, method } of rows) {
    if (scopeOf(action.name) === 'read') assert.ok(/^(GET|HEAD)$/.test(method) || reading.has(action.name), action.name)
    // Addresses of files and calls, and what a bot's owner sees of its endpoint, give no access to an account.
    // Limited keys get the list of bots without the bots' keys.
    const harmless = ['getFileUrl', 'register', 'getEvents', 'listBots', ...calls]
    if (action.secret && !harmless.includes(action.name)) assert.equal(scopeOf(action.name), 'account', action.name)
    if (action.audit && scopeOf(action.name) === 'read') assert.equal(action.name, 'exportAudit')
  }
})

async function tokenOf({ api, password }: Person, scope: KeyScope, more: object = {}): Promise<string> {
  const answer = await api.post('/users/me/api_keys', { name: scope, scopes: [scope], password, ...more })
  assert.equal(answer.status, 200, answer.msg)
  return answer.api_key
}

/** Sends a request with the key where the action looks for it. */
async function send(app: ReturnType<typeof createApp>, { path, method, action }: Row, email: string, key: string) {
  const where = path
    .replace(':token', key)
    .replace(/(\*\*)?:(\w+)(\([^)]*\))?/g, (_, _rest, _name, digits) => (digits ? '987654' : 'none'))
  // Without a queue, a stream of events would begin, and not end.
  const url = new URL(`http://localhost${where}?queue_id=none`)
  const headers: Record<string, string> = { 'x-requested-with': 'test' }
  if (action.credentials === 'query') url.searchParams.set('api_key', key)
  else if (action.credentials === 'bearer') headers.authorization = `Bearer ${key}`
  else if (action.credentials === 'page') headers.cookie = `chat_session=${key}`
  else headers.authorization = `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
  const response = await app.fetch(new Request(url, { method, headers }))
  const text = await response.text()
  return { status: response.status, text }
}

test('a limited key permits exactly the actions of its scope, for every action of the server', async () => {
  await using w = await world()
  const { iago } = w.people
  const app = createApp({ chat: w.chat, rateLimit: false })
  let denied = 0
  for (const scope of keyScopes) {
    const key = await tokenOf(iago, scope)
    for (const row of rows) {
      const { status, text } = await send(app, row, iago.email, key)
      const detail = `${scope}: ${row.method} ${row.path} ${status} ${text.slice(0, 200)}`
      const isDenied = status === 403 && (row.method === 'HEAD' || /INSUFFICIENT_SCOPE|limited/.test(text))
      const required = scopeOf(row.action.name)
      assert.equal(isDenied, !permitted[scope].includes(required), detail)
      if (isDenied) denied++
      // Addresses of Discord's kind name a bot, too.
      else if (row.action.credentials !== 'path') assert.notEqual(status, 401, detail)
    }
  }
  assert.ok(denied > 500, `${denied}`)
})

/** Everything that is stored, without what any use of a key writes. */
async function stored(w: World): Promise<string> {
  const { db } = storeOf(w.chat)
  const passing = new Set(['event_queue', 'api_key'])
  const tables = ['message', 'stream', 'subscription_period', 'user', 'read_range', 'event', 'audit', 'message_flag']
  const all = [...tables, ...ownTableNames].filter((name) => !passing.has(name))
  const texts = all.map(async (name) => {
    const found = await db
      .selectFrom(name as 'message')
      .selectAll()
      .execute()
    return JSON.stringify(found.map((row) => JSON.stringify(row)).toSorted())
  })
  return (await Promise.all(texts)).join('\n')
}

test('no action with the scope for reading changes what is stored', async () => {
  await using w = await world()
  const { iago, hamlet } = w.people
  const { id } = await hamlet.says('hello')
  const api = iago.api
  const { queue_id } = await api.post('/register')
  const ids: Record<string, string | number> = {
    ...{ message_id: id, stream_id: await w.streamId('general'), user_id: hamlet.id, user: hamlet.id },
    ...{ user_group_id: await w.groupId('role:members'), email: hamlet.email, bot_id: hamlet.id },
  }
  const given: Record<string, string> = {
    ...{ anchor: 'newest', num_before: '9', num_after: '0', stream: 'general', msg_ids: `[${id}]`, narrow: '[]' },
    ...{ content: 'x', queue_id, last_event_id: '-1', dont_block: 'true', url: 'x' },
  }
  const before = await stored(w)
  const key = await tokenOf(iago, 'read')
  const afterKey = await stored(w)
  assert.notEqual(before, afterKey)
  const app = createApp({ chat: w.chat, rateLimit: false })
  const answered = new Set<string>()
  const read = rows.filter(({ action }) => scopeOf(action.name) === 'read' && action.answers !== 'events')
  for (const { path, method, action } of read.toSorted((a, b) =>
    a.method === 'DELETE' ? 1 : b.method === 'DELETE' ? -1 : 0,
  )) {
    const where = path.replace(/(\*\*)?:(\w+)(\([^)]*\))?/g, (_, _rest, name) => String(ids[name] ?? '1'))
    const url = new URL(`http://localhost${where}`)
    for (const [name, value] of Object.entries(given)) url.searchParams.set(name, value)
    const authorization = `Basic ${Buffer.from(`${iago.email}:${key}`).toString('base64')}`
    const response = await app.fetch(new Request(url, { method, headers: { authorization } }))
    await response.arrayBuffer()
    if (response.status < 400) answered.add(action.name)
    // The log has what its readers downloaded.
    if (action.name !== 'exportAudit') assert.equal(await stored(w), afterKey, `${method} ${path}`)
    else assert.equal(response.status, 200)
    if (action.name === 'exportAudit') break
  }
  assert.ok(answered.size > 15, [...answered].join(' '))
})
