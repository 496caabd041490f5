import assert from 'node:assert/strict'
import test from 'node:test'
import { inspect } from 'node:util'
import { systemCaller } from '../../src/core/accounts/create-organization.ts'
import { reactivateUser } from '../../src/core/accounts/deactivate.ts'
import { findByApiKey, issueKey } from '../../src/core/accounts/keys.ts'
import { storeOf } from '../../src/core/kernel/store.ts'
import { findUser } from '../../src/core/kernel/user.ts'
import { schedulerOf } from '../../src/core/messages/send/schedule.ts'
import { API_PREFIX, type App, createApp } from '../../src/http/app.ts'
import { planOf } from '../../src/http/decode.ts'
import { type AnyAction, methods, type Routes } from '../../src/http/route-types.ts'
import { routes } from '../../src/http/routes/api.ts'
import { pageSection } from '../../src/http/routes/pages.ts'
import { sessionSection } from '../../src/http/routes/session.ts'
import { siteSection } from '../../src/http/routes/site.ts'
import { type AnySchema, isOptional } from '../../src/http/schema-kinds.ts'
import { BROWSER_PREFIX } from '../../src/http/sign-in/session.ts'
import type { Mail } from '../../src/network/mail/mail.ts'
import { apiOf } from '../../src/testing/api.ts'
import { collecting, type LogEntry } from '../../src/testing/server.ts'
import { type World, world } from '../../src/testing/world.ts'
import { onPostgres } from '../dialect.ts'
import { ArchiveFolder } from '../import/archives.ts'
import { PUBLIC_URL } from '../mail/mail-world.ts'
import { PUSH_SERVICE } from '../push/device.ts'
import { seeded } from '../random.ts'
import { rounds } from '../rounds.ts'
import { callServers, fetch, furnish, history, post } from './furnish.ts'
import { type Recipes, recipesFor } from './recipes.ts'
import { type Chance, fileBytes, type Known, wireText } from './values.ts'

/** The two databases have different requests, so that together they have more. */
const firstSeed = Number(process.env.SEED ?? (onPostgres ? 1001 : 1))
/** Requests to one world: after these, too many accounts in it are deactivated. */
const PER_WORLD = 300
const HANG_MS = 60_000

const rowsOf = (table: Routes, prefix: string) =>
  Object.entries(table).flatMap(([path, row]) =>
    Object.entries(row).map(([method, action]) => ({ path: prefix + path, method, action: action as AnyAction })),
  )
const served = [
  ...rowsOf(routes, API_PREFIX),
  ...rowsOf(sessionSection.routes, BROWSER_PREFIX),
  ...rowsOf(siteSection.routes, ''),
  ...rowsOf(pageSection.routes, ''),
].filter(
  // After it, all requests fail.
  ({ path }) => !path.endsWith('/realm/deactivate'),
)

/** `FUZZ=50000 SEED=7 node test/run.js fuzz/requests` sends more, and other, requests. */
const usual = 20 * served.length

/** They always refuse, because this server has nothing of the kind, or its options decide. */
const refusing = new Set([
  ...['createZoomCall', 'fetchApiKeyByToken', 'getStreamEmail'],
  ...['summarizeMessages', 'devFetchApiKey', 'devListUsers', 'setMailServer', 'removeMailServer'],
])
/** Steps of a browser between this server and an identity provider, which this world doesn't have; test/sign-on attacks them. */
const ofSignOn = /^\/(accounts\/(login|register)|complete)\//
const total = rounds({ short: 2 * served.length, full: onPostgres ? usual / 3 : usual, variable: 'FUZZ' })

test(`answers all of ${total} random requests without a bug`, async (t) => {
  t.diagnostic(`seed ${firstSeed}, ${total} requests`)
  const answered: Answered = new Map()
  for (let done = 0, seed = firstSeed; done < total; done += PER_WORLD, seed++) {
    await fuzzOneWorld(seed, Math.min(PER_WORLD, total - done), answered)
  }
  const missed = served.filter(
    (row) => !isReached(answered, row) && !refusing.has(row.action.name) && !ofSignOn.test(row.path),
  )
  t.diagnostic(`not reached: ${missed.map(({ path, method }) => `${method} ${path}`).join(', ')}`)
  // Otherwise the requests are too random to reach the code under test.
  if (total >= usual)
    assert.ok(
      missed.length <= served.length * 0.05,
      `not reached: ${missed.map(({ path, method }) => `${method} ${path}`).join(', ')}`,
    )
})

type Operation = (typeof served)[number]
/** How often each operation was answered with each status, such as `GET /api/v1/users 200`. */
type Answered = Map<string, number>

const isReached = (answered: Answered, { path, method }: Operation) =>
  [200, 201, 204, 302].some((status) => answered.has(`${method} ${path} ${status}`))

async function fuzzOneWorld(seed: number, count: number, answered: Answered): Promise<void> {
  const random = seeded(seed)
  const below = (sides: number) => Math.floor(random() * sides)
  const chance: Chance = { below, pick: (list) => list[below(list.length)]!, oneIn: (sides) => below(sides) === 0 }
  const log: LogEntry[] = []
  const mails: Mail[] = []
  using archives = new ArchiveFolder({ 'old.jsonl': history('1'), 'next.jsonl': history('2') })
  await using w = await world({
    people: { bot: { bot: true }, viola: { role: 'administrator' }, osric: {}, gone: {} },
    streams: {
      verona: { members: ['iago', 'hamlet', 'polonius'] },
      secret: { private: true, members: ['iago', 'cordelia'] },
    },
    chat: {
      ...{ logger: collecting(log), dev: true, pushService: PUSH_SERVICE, callServers, outgoing: { post, fetch } },
      publicUrl: PUBLIC_URL,
      importFolder: archives.path,
      signOn: { ask: () => Promise.reject(new Error('no network')) },
      mail: { from: 'Chat <chat@example.com>', send: async (mail) => `250 email ${mails.push(mail)}` },
    },
  })
  const app = createApp({ chat: w.chat, rateLimit: false })
  const logins: Logins = new Map()
  const scene: Scene = { w, logins, known: await furnish(w, app), recipes: recipesFor(w, app, mails) }
  for (let done = 0; done < count; ) {
    await signIn(w, logins, chance)
    // Every other request goes to an operation that none has reached yet.
    const missed = served.filter(
      (row) => !isReached(answered, row) && !refusing.has(row.action.name) && !ofSignOn.test(row.path),
    )
    const batch: Question[] = []
    for (let left = Math.min(1 + below(6), count - done); left > 0; left--) {
      batch.push(await question(chance, missed.length > 0 && chance.oneIn(2) ? missed : served, scene))
    }
    done += batch.length
    await Promise.all(
      batch.map(async (asked) => {
        const status = await ask(app, asked, `seed ${seed}: ${asked.detail}`).catch((error: Error) => {
          throw new Error(`${error.message}\nthe log: ${inspect(log, { depth: 5 })}`, { cause: error })
        })
        const key = `${asked.method} ${asked.path} ${status}`
        answered.set(key, (answered.get(key) ?? 0) + 1)
      }),
    )
    if (chance.oneIn(20)) w.clock.advance(chance.pick([1000, 60_000, 3_600_000]))
  }
  await schedulerOf(w.chat).settled()
  // Everything stored can be read again by everybody.
  await signIn(w, logins, { ...chance, oneIn: () => true })
  for (const name of actors) {
    const api = apiOf(w.chat, logins.get(name)!)
    const reads = [
      await api.post('/register', { include_subscribers: true, all_public_streams: false }),
      await api.get('/messages', { anchor: 'newest', num_before: 1000, num_after: 0 }),
      await api.get('/users', { include_custom_profile_fields: true }),
    ]
    for (const { status, msg } of reads) assert.ok(status < 500, `seed ${seed}: ${name} reads: ${status} ${msg}`)
  }
  assert.deepEqual(log, [])
  // PostgreSQL checks foreign keys at each change, and its server has tools of its own.
  if (!storeOf(w.chat).peers) {
    const { integrity, foreign_key_errors } = await storeOf(w.chat).inspect()
    assert.deepEqual({ integrity, foreign_key_errors }, { integrity: ['ok'], foreign_key_errors: 0 })
  }
  assert.deepEqual(Object.keys(Object.prototype), [])
  assert.equal('polluted' in {}, false)
}

/** The queue that `furnish` registered for them. */
const queueOf = (known: Known, email: string) => known.queue_id![known.email!.indexOf(email) + 1]

interface Question {
  request: Request
  method: string
  path: string
  action: AnyAction
  /** A description of the request, for the message of a failure. */
  detail: string
  /** Ends a poll that waits. */
  stop: AbortController
}

const actors = ['iago', 'viola', 'hamlet', 'cordelia', 'polonius', 'bot']
/** What they sign in with, by name. */
type Logins = Map<string, { email: string; key: string }>

/** The requests change addresses, end keys and close accounts: those who are out come back, sooner or later. */
async function signIn(w: World, logins: Logins, chance: Chance): Promise<void> {
  const system = await systemCaller(w.chat)
  for (const name of actors) {
    const { id, key: first } = w.person(name)
    const user = (await findUser(system.db, id))!
    if (!user.is_active && chance.oneIn(4)) await reactivateUser(system, { user_id: id })
    const { key = first } = logins.get(name) ?? {}
    const valid = (await findByApiKey(w.chat, key))?.user.id === id
    const renewed = valid ? key : await system.write((tx) => issueKey(tx, id))
    logins.set(name, { email: user.delivery_email, key: renewed })
  }
}

/** The state of a world that requests are made of. */
interface Scene {
  w: World
  known: Known
  recipes: Recipes
  logins: Logins
}

/** Parameters of a recipe, sometimes with another value for one of them. Undefined if the recipe fails by now. */
async function recipeOf({ name, params }: AnyAction, { known, recipes }: Scene, chance: Chance) {
  // What earlier requests did, such as closing the organization to new people, may make it fail.
  const recipe = await recipes[name]?.().catch(() => undefined)
  if (!recipe) return undefined
  const given = Object.entries(recipe.params).map(([key, value]): [string, string] => [
    key,
    typeof value === 'string' ? value : (JSON.stringify(value) ?? ''),
  ])
  const schemas = entriesOf(params)
  if (chance.oneIn(3) && given.length > 0) {
    const one = chance.pick(given)
    if (schemas[one[0]]) one[1] = wireText(chance, one[0], schemas[one[0]]!, known)
  }
  return { given, login: recipe.as, isRecipe: true }
}

const entriesOf = (params: AnyAction['params']) => (params as unknown as { entries: Record<string, AnySchema> }).entries

async function question(chance: Chance, among: readonly Operation[], scene: Scene): Promise<Question> {
  const { path, method: usual, action } = chance.pick(among)
  const method = chance.oneIn(30) ? chance.pick([...methods, 'HEAD', 'OPTIONS']) : usual
  const recipe = chance.oneIn(2) ? await recipeOf(action, scene, chance) : undefined
  if (recipe) return asRequest(chance, { path, method, action }, scene, recipe)
  const { w, known, logins } = scene
  const name = chance.pick([...actors, 'hamlet'])
  const who = w.person(name)
  const schemas = entriesOf(action.params)
  const file = planOf(action.params).file?.name
  const given: [string, string][] = []
  // Chooses one optional parameter as often as several, because more of them make errors more likely.
  const leaving = chance.pick([1.2, 3, Object.keys(schemas).length])
  for (const [name, schema] of Object.entries(schemas)) {
    if (name === file || (isOptional(schema) ? chance.below(leaving * 100) >= 100 : chance.oneIn(30))) continue
    const own = name === 'queue_id' && !chance.oneIn(4)
    given.push([name, own ? String(queueOf(known, who.email)) : wireText(chance, name, schema, known)])
  }
  if (chance.oneIn(10))
    given.push([chance.pick(['__proto__', 'constructor', 'client', 'x', '', 'ü']), chance.pick(['1', '{"a":1}'])])
  return asRequest(chance, { path, method, action }, scene, { given, login: logins.get(name)! })
}

interface Asked {
  given: [string, string][]
  /** Nobody's for a visitor. */
  login: { email: string; key: string } | undefined
  /** Whether the parameters belong together, also the ones in the path. */
  isRecipe?: boolean
}

/** Puts parameters where the operation, or chance, wants them. */
function asRequest(chance: Chance, { path, method, action }: Operation, { known }: Scene, asked: Asked): Question {
  const { given, login, isRecipe = false } = asked
  const file = planOf(action.params).file?.name
  const where = path.replace(/(\*\*)?:(\w+)(\([^)]*\))?/g, (_, rest?: string, name = '', digits?: string) => {
    if (digits && !known[name]) throw new Error(`the fuzzer knows no value for :${name}; add some to furnish()`)
    const own = given.find(([key]) => key === name)?.[1]
    const value = digits && !(isRecipe && own) ? String(chance.pick(known[name]!)) : (own ?? 'x')
    const encoded = encodeURIComponent(value.toWellFormed()) || 'x'
    return chance.oneIn(60)
      ? chance.pick(['%00', '%2f', '..', '%ff', '1e0', '-1', '%2e%2e%2f', '9'.repeat(30)])
      : rest
        ? encoded.replaceAll('%2F', '/')
        : encoded
  })
  const url = new URL(`http://localhost${where}`)
  const init: RequestInit & { headers: Record<string, string> } = { method, headers: {} }
  if (login && !chance.oneIn(action.spectators ? 4 : 50))
    init.headers.authorization = `Basic ${Buffer.from(`${login.email}:${login.key}`).toString('base64')}`
  if (path.startsWith(BROWSER_PREFIX) && !chance.oneIn(4)) init.headers['x-requested-with'] = 'fetch'
  if (login && action.credentials === 'query') url.searchParams.set('api_key', login.key)
  if (chance.oneIn(5)) init.headers['idempotency-key'] = chance.pick(['1', '2', '3', 'x'.repeat(300)])
  for (const [parameter, header] of Object.entries(action.headers ?? {})) {
    // Only a proxy's own headers are named otherwise, and there is none here.
    if (header.startsWith(':')) continue
    const value = given.find(([name]) => name === parameter)?.[1]
    // Other characters can't be in a header.
    if (value !== undefined && /^[\x20-\x7e]*$/.test(value) && value.length < 4000) init.headers[header] = value
  }
  const bodiless = method === 'GET' || method === 'HEAD'
  const raw = action.body && !chance.oneIn(20) ? chance.pick(action.body.types) : undefined
  if (!bodiless && file && raw) {
    for (const [name, value] of given) if (value.length < 20_000) url.searchParams.append(name, value)
    init.headers['content-type'] = raw
    init.body = chance.pick([fileBytes(chance), Buffer.from('abc')])
  } else if (!bodiless && file && !chance.oneIn(20)) {
    const form = new FormData()
    for (const [name, value] of given) form.append(name, value.toWellFormed())
    form.append(
      chance.oneIn(20) ? 'other' : 'filename',
      new Blob([fileBytes(chance)]),
      chance.pick(['a.png', '../x', '']),
    )
    init.body = form
  } else if (bodiless || chance.oneIn(5)) {
    // Several hundred kilobytes do not fit into a URL.
    for (const [name, value] of given) if (value.length < 20_000) url.searchParams.append(name, value)
  } else if (chance.oneIn(8)) {
    const form = new FormData()
    for (const [name, value] of given) form.append(name, value)
    init.body = form
  } else if (chance.oneIn(3)) {
    init.headers['content-type'] = chance.pick(['application/json', 'application/json; charset=utf-8'])
    init.body = jsonBody(chance, action, given)
  } else init.body = new URLSearchParams(given)
  const stop = new AbortController()
  const detail = `${login?.email ?? 'a visitor'} ${method} ${url.pathname} ${JSON.stringify(Object.fromEntries(given)).slice(0, 1500)}`
  // With another method it may be another operation that answers.
  const answering = served.find((row) => row.path === path && row.method === method)?.action ?? action
  return { request: new Request(url, { ...init, signal: stop.signal }), method, path, action: answering, detail, stop }
}

/** The same parameters as members of a JSON object, sometimes made invalid. */
function jsonBody(chance: Chance, { params }: AnyAction, given: [string, string][]): string {
  const texts = new Set(planOf(params).entries.flatMap(({ name, encoding }) => (encoding === 'text' ? [name] : [])))
  const members = given.map(([name, text]) => {
    const isValue = isJson(text) && (!texts.has(name) || chance.oneIn(20))
    return `${JSON.stringify(name)}:${isValue ? text : JSON.stringify(text)}`
  })
  const text = `{${members.join(',')}}`
  if (!chance.oneIn(20)) return text
  return chance.pick([text.slice(0, chance.below(text.length)), `[${text}]`, `{"__proto__":${text}}`, 'null', '\u0000'])
}

function isJson(text: string): boolean {
  try {
    JSON.parse(text)
    return true
  } catch {
    return false
  }
}

/** Sends the request, and checks what holds for every answer. */
async function ask(app: App, { request, method, path, action, stop }: Question, where: string): Promise<number> {
  const patience = setTimeout(() => stop.abort(), /\/events(\/stream)?$/.test(path) ? 20 : HANG_MS)
  let timer: NodeJS.Timeout | undefined
  const hang = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new Error(`no answer: ${where}`)), HANG_MS)
  })
  try {
    const response = await Promise.race([app.fetch(request), hang])
    const { status } = response
    const type = response.headers.get('content-type') ?? ''
    if (type.startsWith('text/event-stream')) {
      const reader = response.body!.getReader()
      assert.match(Buffer.from((await Promise.race([reader.read(), hang])).value!).toString(), /^id: /, where)
      await reader.cancel()
      return status
    }
    const text = await Promise.race([response.text(), hang])
    assert.ok(status < 500, `${status} ${text} for ${where}`)
    if (method === 'HEAD' || method === 'OPTIONS') return status
    if (action.answers === 'protocol' && status >= 200 && status < 300) return status
    const isAnswer = status === 200 || status === 302
    if (isAnswer && /^(bytes|redirect|text)$/.test(action.answers ?? '')) return status
    // Programs that post to Slack expect its answer.
    if (isAnswer && text === 'ok' && new URL(request.url).pathname.endsWith('/slack_incoming')) return status
    // A page says what is wrong as a page.
    if (action.answers === 'page' && type.startsWith('text/html')) return status
    assert.match(type, /^application\/json/, `${status} for ${where}`)
    const body = JSON.parse(text) as Record<string, unknown>
    const ok = status === 200
    assert.deepEqual([body.result, typeof body.msg], [ok ? 'success' : 'error', 'string'], where)
    // Of a slash command the message is the answer.
    if (ok) assert.ok(body.msg === '' || action.name === 'runCommand', where)
    else assert.match(String(body.code), /^[A-Z_]+$/, where)
    return status
  } finally {
    clearTimeout(patience)
    clearTimeout(timer)
  }
}
