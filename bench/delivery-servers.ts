/** The two servers of delivery.ts, each a process of its own: `delivery-servers.ts floor` and `… chat FILE CLIENTS`. */
import { H3, serve } from 'h3'
import { FastResponse } from 'srvx'
import { actAs } from '../src/core/accounts/act-as.ts'
import { addUser } from '../src/core/accounts/create.ts'
import { createOrganization } from '../src/core/accounts/create-organization.ts'
import { issueKey } from '../src/core/accounts/keys.ts'
import { busOf } from '../src/core/events/log/bus.ts'
import { position } from '../src/core/events/log/emit.ts'
import { createQueue } from '../src/core/events/log/queue-rows.ts'
import { callerOf } from '../src/core/kernel/context.ts'
import { openChat } from '../src/core/open-chat.ts'
import { subscribe } from '../src/core/streams/subscriptions/subscribe.ts'
import { createChatServer } from '../src/http/index.ts'
import { formPost } from './load.ts'
import { get } from './waiters.ts'

const CONTENT = 'The quick brown fox jumps over the lazy dog, and says so in the stream.'
const CLIENTS_PER_USER = 10

const [part, ...rest] = process.argv.slice(2)
if (part === 'floor') await serveFloor()
else await serveChat(rest[0]!, Number(rest[1]))

/** What a server reports: its address once, then the number of waiting clients and its memory on request. */
export interface Ready {
  port: number
  /** The request that each client waits with; it is followed by `AFTER`. */
  waits: string[]
  sends: string
}
export interface State {
  waiting: number
  /** Processor time so far, in microseconds. */
  cpu: number
  rss: number
  used: number
}

function tellState(waiting: () => number): void {
  // A profile is only written at an orderly exit.
  process.on('SIGINT', () => process.exit(0))
  // It must not outlive the measuring process either.
  process.on('disconnect', () => process.exit(0))
  process.on('message', (wanted) => void sendState(wanted === 'gc', waiting))
}

async function sendState(collect: boolean, waiting: () => number): Promise<void> {
  // Memory freed by a collection is returned to the system a little later.
  for (let i = 0; collect && i < 4; i++) {
    globalThis.gc?.()
    await new Promise((resolve) => setTimeout(resolve, 150))
  }
  const { rss, heapUsed, external } = process.memoryUsage()
  const { user, system } = process.cpuUsage()
  process.send?.({ waiting: waiting(), cpu: user + system, rss, used: heapUsed + external } satisfies State)
}

async function serveFloor() {
  const app = new H3()
  let text = ''
  let held: (() => void)[] = []
  const headers = {
    'content-type': 'application/json; charset=utf-8',
    'cache-control': 'no-store',
    'x-content-type-options': 'nosniff',
  }
  app.get('/wait', async () => {
    await new Promise<void>((resolve) => held.push(resolve))
    return new FastResponse(text, { status: 200, headers })
  })
  app.post('/send', async (event) => {
    text = (await event.req.text()) || text
    const all = held
    held = []
    for (const release of all) release()
    return new FastResponse('{"result":"success"}', { status: 200, headers })
  })
  const server = serve(app, { port: 0, hostname: '127.0.0.1', silent: true })
  await server.ready()
  tellState(() => held.length)
  process.send?.({ port: Number(new URL(server.url!).port), waits: [], sends: '' } satisfies Ready)
}

async function serveChat(db: string, clients: number) {
  const chat = await openChat({ db, passwordCost: 4 })
  const owner = await createOrganization(chat, { org: 'Bench', owner_email: 'o@example.com', owner_name: 'Olga' })
  const boss = await actAs(chat, { user_id: owner.user_id })
  const basic = (email: string, key: string) => `Basic ${Buffer.from(`${email}:${key}`).toString('base64')}`
  const account = async (email: string) => {
    const seed = { email, full_name: email, role: 400, password_hash: null, bot_type: 1, bot_owner_id: boss.user.id }
    return boss.write(async (tx) => {
      const user = await addUser(tx, seed)
      return { user, authorization: basic(email, await issueKey(tx, user.id)) }
    })
  }
  const emails = Array.from({ length: Math.ceil(clients / CLIENTS_PER_USER) }, (_, i) => `user${i}@example.com`)
  const users = await Promise.all(emails.map(account))
  await subscribe(boss, {
    subscriptions: [{ name: 'crowd' }],
    principals: [boss.user.id, ...users.map(({ user }) => user.id)],
  })
  const options = {
    event_types: ['message'],
    narrow: [],
    all_public_streams: false,
    apply_markdown: true,
    client_gravatar: true,
    slim_presence: false,
    include_subscribers: false,
    capabilities: {},
  }
  const waits = await Promise.all(
    Array.from({ length: clients }, async (_, i) => {
      const { user, authorization } = users[i % users.length]!
      const id = await callerOf(chat, user).write(async (tx) => createQueue(tx, options, position(tx), 600))
      return get(`/api/v1/events?queue_id=${id}&last_event_id=AFTER`, authorization)
    }),
  )
  const server = await createChatServer({ chat, port: 0, rateLimit: false })
  tellState(() => busOf(chat).waiting())
  const sender = basic('o@example.com', owner.api_key)
  const message = { type: 'stream', to: 'crowd', topic: 'bench', content: CONTENT }
  const sends = formPost('/api/v1/messages', message, sender)
  process.send?.({ port: server.port, waits, sends } satisfies Ready)
}
