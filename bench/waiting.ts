/**
 * The cost of waiting clients for the others, without sockets, on a file: `npm run bench:waiting`. Milliseconds and
 * microseconds of the processor.
 */
import { setMaxListeners } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { actAs } from '../src/core/accounts/act-as.ts'
import { busOf } from '../src/core/events/log/bus.ts'
import { getEvents } from '../src/core/events/queues/poll.ts'
import { register } from '../src/core/events/queues/register.ts'
import type { Caller } from '../src/core/kernel/context.ts'
import { sendMessage } from '../src/core/messages/send/send.ts'
import { openChat } from '../src/core/open-chat.ts'
import { updatePresence } from '../src/core/users/presence.ts'
import { type World, world } from '../src/testing/world.ts'
import { median } from './median.ts'
import { millisecondsSince, moment } from './processor-time.ts'
import { row } from './row.ts'
import { longestWait, smallWrite } from './stalls/prober.ts'
import { seedStreams, seedSubscriptions, seedUsers } from './stalls/seeds.ts'

interface Client {
  caller: Caller
  queue_id: string
  last_event_id: number
}

const QUEUES_PER_USER = 10
const share = Number(process.argv[2] ?? 1)
const turn = () => new Promise((resolve) => setImmediate(resolve))

async function clientsOf(w: World, count: number, stream_ids: readonly number[]): Promise<Client[]> {
  const ids = await seedUsers(w, Math.ceil(count / QUEUES_PER_USER))
  await seedSubscriptions(w, ids, stream_ids)
  const clients: Client[] = []
  for (let i = 0; i < count; i++) {
    const caller = await actAs(w.chat, { user_id: ids[i % ids.length]! })
    const { queue_id, last_event_id } = await register(caller, { event_types: ['message'], fetch_event_types: [] })
    clients.push({ caller, queue_id, last_event_id })
  }
  return clients
}

/** Makes all clients wait, and resolves when they do. The responses are kept for `answers`. */
async function waitAll(w: Pick<World, 'chat'>, clients: readonly Client[]) {
  const answers = clients.map((client) => getEvents(client.caller, client))
  while (busOf(w.chat).waiting() < clients.length) await turn()
  return answers
}

const send = (caller: Caller, to: string) =>
  sendMessage(caller, { type: 'stream', to, topic: 'bench', content: 'The quick brown fox jumps over the lazy dog.' })

async function heartbeat(w: World): Promise<void> {
  const count = Math.round(500 * share)
  const [here, elsewhere] = await seedStreams(w, 2)
  const clients = await clientsOf(w, count, [here!.id])
  await seedSubscriptions(w, [w.people.iago.id], [here!.id, elsewhere!.id])
  const answers = await waitAll(w, clients)
  for (let i = 0; i < 9000 * share; i += 30) {
    await Promise.all(Array.from({ length: 30 }, () => send(w.people.iago, elsewhere!.name)))
  }
  const { longest } = await longestWait([smallWrite(w.people.cordelia)], async () => {
    w.clock.advance(45_000)
    await Promise.all(answers)
  })
  row(`${count} waiting while ${9000 * share} messages go elsewhere: stall at the heartbeat`, longest, 'ms', 100)
}

async function fanOut(w: World): Promise<void> {
  const count = Math.round(2000 * share)
  const [stream] = await seedStreams(w, 1, 'crowd')
  const clients = await clientsOf(w, count, [stream!.id])
  await seedSubscriptions(w, [w.people.iago.id], [stream!.id])
  const [answer, delivery]: number[][] = [[], []]
  for (let round = 0; round < 12; round++) {
    const answers = await waitAll(w, clients)
    const before = moment()
    await send(w.people.iago, stream!.name)
    answer!.push(millisecondsSince(before))
    for (const [i, { events }] of (await Promise.all(answers)).entries()) clients[i]!.last_event_id = events.at(-1)!.id
    delivery!.push((millisecondsSince(before) * 1000) / count)
  }
  row(`sender's answer with ${count} waiting, p50`, median(answer!), 'ms', 3)
  row('a delivery by poll, without HTTP, p50', median(delivery!), 'µs', 35)
}

/** Everybody reports that they are there, twenty at a time, while everybody waits with one queue. */
async function morning(w: World, event_types: string[] | null): Promise<void> {
  const count = Math.round(1000 * share)
  const user_ids = await seedUsers(w, count)
  const callers: Caller[] = []
  for (const user_id of user_ids) callers.push(await actAs(w.chat, { user_id }))
  const over = new AbortController()
  setMaxListeners(0, over.signal)
  const polls: Promise<unknown>[] = []
  for (const caller of callers) {
    const queue = await register(caller, { event_types, fetch_event_types: [] })
    polls.push(pollOn({ ...caller, signal: over.signal }, queue, over.signal))
  }
  while (busOf(w.chat).waiting() < count) await turn()
  const before = process.cpuUsage()
  for (let i = 0; i < count; i += 20) {
    await Promise.all(callers.slice(i, i + 20).map((one) => updatePresence(one, { status: 'active', ping_only: true })))
    for (let turns = 0; turns < 100; turns++) await turn()
  }
  const { user, system } = process.cpuUsage(before)
  over.abort()
  await Promise.all(polls)
  const wanted = event_types ? ' for messages' : ''
  row(`${count} people come online while all wait${wanted}: a report`, (user + system) / 1000 / count, 'ms', 0.5)
}

/** Polls until the signal, as a client does. */
async function pollOn(caller: Caller, { queue_id, last_event_id }: Omit<Client, 'caller'>, over: AbortSignal) {
  for (let last = last_event_id; !over.aborted; ) {
    const { events } = await getEvents(caller, { queue_id, last_event_id: last })
    last = events.at(-1)?.id ?? last
  }
}

async function restart(file: string): Promise<void> {
  const count = Math.round(2000 * share)
  let clients: Client[] = []
  const { user_id } = await (async () => {
    await using w = await world({ chat: { db: file, checkContract: false } })
    const [stream] = await seedStreams(w, 1, 'again')
    clients = await clientsOf(w, count, [stream!.id])
    for (let i = 0; i < 100; i++) await send(w.people.iago, 'general')
    return { user_id: w.people.cordelia.id }
  })()
  await using chat = await openChat({ db: file })
  const prober = await actAs(chat, { user_id })
  const callers = await Promise.all(clients.map(({ caller }) => actAs(chat, { user_id: caller.user.id })))
  const over = new AbortController()
  setMaxListeners(0, over.signal)
  const { longest } = await longestWait([smallWrite(prober)], async () => {
    const answers = clients.map((client, i) => getEvents({ ...callers[i]!, signal: over.signal }, client))
    while (busOf(chat).waiting() < count) await turn()
    for (const answer of answers) answer.catch(() => {})
  })
  over.abort()
  row(`${count} taking up their queues after a restart: others wait`, longest, 'ms', 100)
}

const mornings = [null, ['message']].map((types) => (w: World) => morning(w, types))
for (const measure of [heartbeat, fanOut, ...mornings]) {
  const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
  {
    await using w = await world({ chat: { db: join(folder, 'chat.db'), checkContract: false } })
    await measure(w)
  }
  rmSync(folder, { recursive: true, force: true })
}
const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
await restart(join(folder, 'chat.db'))
rmSync(folder, { recursive: true, force: true })
