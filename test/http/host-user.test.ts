import assert from 'node:assert/strict'
import test from 'node:test'
import * as v from 'valibot'
import { action } from '../../src/core/kernel/action.ts'
import { servedBytes, servedFile } from '../../src/core/kernel/answers.ts'
import { type Authenticate, createChatServer, type HostUser, type ServerOptions } from '../../src/http/index.ts'
import { ChatError, deactivateUser, updateUser } from '../../src/index.ts'
import { collecting, type LogEntry } from '../../src/testing/server.ts'
import { type WorldSeed, world } from '../../src/testing/world.ts'
import { basic, type Json, whoAmI } from './targets.ts'

const PNG = 'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg=='

/** A host's authentication: a header with the user. */
const byHeader: Authenticate = (request) => {
  const email = request.headers.get('x-host-user')
  return email ? { email } : undefined
}

const failureOf = (entry: LogEntry | undefined) => entry!.details as { request_id: string; err: Error }

/** A world behind a host application, with functions for requests in both ways. */
async function hosted(options: ServerOptions = {}, seed: WorldSeed = {}) {
  const log: LogEntry[] = []
  const chat = { ...seed.chat, logger: collecting(log) }
  const w = await world({ ...seed, chat })
  const server = await createChatServer({ chat: w.chat, rateLimit: false, authenticate: byHeader, ...options })
  const ask = async (path: string, init: RequestInit = {}, as?: string) => {
    const headers = { ...(init.headers as Record<string, string>), ...(as !== undefined && { 'x-host-user': as }) }
    const answers = [
      await fetch(`${server.url}/api/v1${path}`, { ...init, headers }),
      await server.fetch(`/api/v1${path}`, { ...init, headers }),
    ]
    const [first, second] = await Promise.all(
      answers.map(async (answer) => ({ status: answer.status, body: (await answer.json()) as Json })),
    )
    return { first: first!, second: second! }
  }
  return {
    ...w,
    w,
    server,
    log,
    /** The answers of both ways, which must be equal. */
    async ask(...args: Parameters<typeof ask>) {
      const { first, second } = await ask(...args)
      assert.equal(second.status, first.status)
      return first
    },
    async [Symbol.asyncDispose]() {
      await server.close()
      await w.chat.close()
    },
  }
}

test('runs a request as the user the host names by email address or id', async () => {
  await using h = await hosted({
    authenticate: (request) => JSON.parse(request.headers.get('x-host-user') ?? 'null') as HostUser | null,
  })
  const { hamlet } = h.people
  for (const who of [{ email: 'Hamlet@Example.com' }, { user_id: hamlet.id }, { ...hamlet.user }]) {
    const { status, body } = await h.ask('/users/me', {}, JSON.stringify(who))
    assert.deepEqual([status, body.user_id], [200, hamlet.id])
  }
})

test("requires an API key from users the host doesn't know", async () => {
  await using h = await hosted()
  const { cordelia } = h.people
  const withKey = { headers: { authorization: basic(cordelia.email, cordelia.key) } }
  assert.equal((await h.ask('/users/me', withKey)).body.user_id, cordelia.id)
  const nobody = await h.ask('/users/me')
  assert.deepEqual([nobody.status, nobody.body.code], [401, 'UNAUTHORIZED'])
  // Public endpoints are answered as usual.
  assert.equal((await h.ask('/server_settings')).status, 200)
})

test("doesn't ask the host for public endpoints, and asks it before checking keys", async () => {
  let asked = 0
  await using h = await hosted({
    authenticate: () => {
      asked++
      return { email: 'hamlet@example.com' }
    },
  })
  await h.ask('/server_settings')
  assert.equal(asked, 0)
  const { cordelia, hamlet } = h.people
  const withKey = { headers: { authorization: basic(cordelia.email, cordelia.key) } }
  assert.equal((await h.ask('/users/me', withKey)).body.user_id, hamlet.id)
})

test("the account's role decides what a request may do", async () => {
  await using h = await hosted()
  const rename = () =>
    h.ask('/realm', { method: 'PATCH', body: new URLSearchParams({ name: 'Wittenberg' }) }, 'hamlet@example.com')
  assert.deepEqual([(await rename()).status, (await rename()).body.code], [400, 'UNAUTHORIZED_PRINCIPAL'])
  await updateUser(h.people.iago, { user_id: h.people.hamlet.id, role: 200 })
  assert.equal((await rename()).status, 200)
})

test('rejects unknown and deactivated accounts with 401 and a reason', async () => {
  await using h = await hosted()
  const unknown = await h.ask('/users/me', {}, 'nobody@example.com')
  assert.deepEqual(
    [unknown.status, unknown.body],
    [401, { result: 'error', msg: "You don't have an account in this organization", code: 'AUTHENTICATION_FAILED' }],
  )
  await deactivateUser(h.people.iago, { user_id: h.people.hamlet.id })
  const gone = await h.ask('/users/me', {}, 'hamlet@example.com')
  assert.deepEqual([gone.status, gone.body.code, gone.body.msg], [401, 'USER_DEACTIVATED', 'Account is deactivated'])
})

test("logs a host's exception and answers 500, but passes on a ChatError", async () => {
  const thrown = [
    new Error('the session store is down'),
    new ChatError('AUTHENTICATION_FAILED', 'Your session has ended'),
  ]
  await using h = await hosted({
    authenticate: async (request) => Promise.reject(thrown[Number(request.headers.get('x-host-user'))]),
  })
  const broken = await h.ask('/users/me', {}, '0')
  assert.deepEqual([broken.status, broken.body.code], [500, 'INTERNAL_ERROR'])
  assert.doesNotMatch(broken.body.msg, /session store/)
  assert.match(failureOf(h.log[0]).err.stack!, /the session store is down/)
  assert.match(broken.body.msg, new RegExp(failureOf(h.log[0]).request_id))
  const refused = await h.ask('/users/me', {}, '1')
  assert.deepEqual([refused.status, refused.body.msg], [401, 'Your session has ended'])
})

test("treats a host's answer that names nobody as a bug, not as a stranger", async () => {
  const wrong = [
    'hamlet@example.com',
    {},
    '',
    false,
    { user_id: '7' },
    { email: 7 },
    { user_id: Number.NaN },
    7,
    true,
  ] as unknown[]
  await using h = await hosted({
    authenticate: (request) => wrong[Number(request.headers.get('x-host-user'))] as HostUser,
  })
  for (const i of wrong.keys()) {
    const { status } = await h.ask('/users/me', {}, String(i))
    assert.deepEqual([wrong[i], status], [wrong[i], 500])
    assert.match(failureOf(h.log.at(-1)).err.stack!, /authenticate must return/)
  }
})

test("rate-limits a host user's requests by user and role", async () => {
  await using h = await hosted({
    rateLimit: true,
    rateLimits: { user: { requests: 4, seconds: 60 }, roles: { guest: { requests: 2, seconds: 60 } } },
  })
  const statuses = async (as: string, times: number) => {
    const all: number[] = []
    for (let i = 0; i < times; i++)
      all.push((await h.server.fetch('/api/v1/users/me', { headers: { 'x-host-user': as } })).status)
    return all
  }
  assert.deepEqual(await statuses('hamlet@example.com', 5), [200, 200, 200, 200, 429])
  assert.deepEqual(await statuses('polonius@example.com', 3), [200, 200, 429])
  assert.deepEqual(await statuses('cordelia@example.com', 1), [200])
})

test("counts names without an account against the client's address", async () => {
  await using h = await hosted({ rateLimit: true, rateLimits: { address: { requests: 3, seconds: 60 } } })
  const ask = async () =>
    (await fetch(`${h.server.url}/api/v1/users/me`, { headers: { 'x-host-user': 'nobody@x.org' } })).status
  assert.deepEqual([await ask(), await ask(), await ask(), await ask()], [401, 401, 401, 429])
})

test('serves long polls, event streams and files to a host user', async () => {
  await using h = await hosted()
  const { hamlet, iago } = h.people
  const headers = { 'x-host-user': hamlet.email }
  const call = async (path: string, init: RequestInit = {}): Promise<Json> =>
    (await fetch(`${h.server.url}/api/v1${path}`, { ...init, headers })).json()

  const { queue_id, last_event_id } = await call('/register', {
    method: 'POST',
    body: new URLSearchParams({ event_types: '["message"]' }),
  })
  const polled = call(`/events?queue_id=${queue_id}&last_event_id=${last_event_id}`)
  const { id } = await iago.says('to a waiting poll')
  assert.equal((await polled).events[0].message.id, id)

  const stream = await fetch(
    `${h.server.url}/api/v1/events/stream?queue_id=${queue_id}&last_event_id=${last_event_id}`,
    {
      headers,
    },
  )
  assert.equal(stream.headers.get('content-type'), 'text/event-stream; charset=utf-8')
  const reader = stream
    .body!.pipeThrough(new TextDecoderStream() as never)
    .getReader() as ReadableStreamDefaultReader<string>
  let seen = ''
  while (!seen.includes('to a waiting poll')) seen += (await reader.read()).value
  await reader.cancel()

  const body = new FormData()
  body.set('filename', new Blob([Buffer.from(PNG, 'base64')]), 'tick.png')
  assert.equal((await call('/realm/emoji/green_tick', { method: 'POST', body })).result, 'success')
  const { emoji } = await iago.api.get('/realm/emoji')
  assert.deepEqual(
    Object.values<Json>(emoji).map((one) => one.author_id),
    [hamlet.id],
  )
})

const ownFile = action(
  { name: 'getOwnFile', summary: 'Get a file', params: v.object({}), result: servedFile, answers: 'bytes' },
  async ({ user }) =>
    servedBytes(Buffer.from(user.full_name), { content_type: 'text/plain', version: 'v', cache: 'private' }),
)
const hook = action(
  { name: 'hook', summary: 'Hook', params: v.object({}), result: v.any(), credentials: 'query' },
  async ({ user }) => ({ user_id: user.id }),
)

test('serves private files and actions that otherwise take their key from the query', async () => {
  await using h = await hosted({
    routes: { '/file': { GET: ownFile }, '/hook': { POST: hook }, '/who': { GET: whoAmI } },
  })
  const { hamlet, cordelia } = h.people
  const file = await h.server.fetch('/api/v1/file', { headers: { 'x-host-user': hamlet.email } })
  assert.deepEqual([file.status, await file.text()], [200, 'hamlet'])
  assert.equal((await h.server.fetch('/api/v1/file')).status, 401)
  assert.equal((await h.ask('/hook', { method: 'POST' }, hamlet.email)).body.user_id, hamlet.id)
  assert.equal((await h.ask(`/hook?api_key=${cordelia.key}`, { method: 'POST' })).body.user_id, cordelia.id)
})

test("passes Node's request, with its framework's additions, to the host when there is one", async () => {
  const seen: boolean[] = []
  await using h = await hosted({
    authenticate: (request, incoming) => {
      seen.push(incoming?.headers['x-host-user'] === request.headers.get('x-host-user'))
      return { email: 'hamlet@example.com' }
    },
  })
  await h.ask('/users/me', {}, 'somebody')
  assert.deepEqual(seen, [true, false])
})

test('stops sending events to a deactivated host user', async () => {
  await using h = await hosted()
  const { hamlet, iago } = h.people
  const headers = { 'x-host-user': hamlet.email }
  const registered = await h.server.fetch('/api/v1/register', { method: 'POST', headers })
  const { queue_id, last_event_id } = (await registered.json()) as Json
  const polled = h.server.fetch(`/api/v1/events?queue_id=${queue_id}&last_event_id=${last_event_id}`, { headers })
  await deactivateUser(iago, { user_id: hamlet.id })
  assert.ok([400, 401].includes((await polled).status))
})
