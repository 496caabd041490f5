/**
 * How many messages a second 50 members receive, if each message is sent when everybody has the one before:
 * `npm run bench:side-by-side`. Members poll or listen to server-sent events, and everything that they do counts,
 * polling again too. In turns in the same run: an empty server of node:http that sends the same bytes, which is the
 * ceiling, and rooms of Prosody and ejabberd with archives on.
 *
 * The two servers come from Debian's packages, unpacked into a temporary folder. If that fails, they are left out.
 * `… -- ejabberd` leaves out the other, and `… -- none` both.
 */
import { fork } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { freePort } from '../../scripts/free-port.ts'
import { circumstances } from '../circumstances.ts'
import { start } from '../crowd.ts'
import { spread } from '../row.ts'
import { get } from '../waiters.ts'
import type { Running } from './debian.ts'
import { startEjabberd } from './ejabberd.ts'
import { pollingRoom, streamingRoom } from './http-rooms.ts'
import { processorTime } from './processor.ts'
import { startProsody } from './prosody.ts'
import { type Room, sendFor } from './room.ts'
import { xmppRoom } from './xmpp-room.ts'

const MEMBERS = 50
const TURNS = Number(process.env.BENCH_TURNS ?? 7)
const SECONDS = Number(process.env.BENCH_SECONDS ?? 2)
const CONTENT = 'The quick brown fox jumps over the lazy dog, and says so in the stream.'

interface Party {
  name: string
  pid: number
  room: Room
  stop(): Promise<unknown>
  /** Messages a second, in each turn. */
  rates: number[]
  /** Microseconds of the server's processor a delivery, in each turn. */
  costs: number[]
}

const party = (name: string, pid: number, room: Room, stop: Party['stop']): Party => ({
  ...{ name, pid, room, stop },
  rates: [],
  costs: [],
})

/** An answer to a poll, from which the ceiling is made. */
let answer = ''

async function startOurs(name: string, file: string, enter: typeof pollingRoom): Promise<Party> {
  const server = await start('chat', file, String(MEMBERS))
  const room = await enter(server, (body) => {
    answer ||= body
  })
  return party(name, server.child.pid!, room, () => end(server.child))
}

async function startCeiling(name: string, enter: typeof pollingRoom): Promise<Party> {
  const child = fork(fileURLToPath(import.meta.url).replace(/run(\.\w+)$/, 'ceiling$1'), { execArgv: process.execArgv })
  child.send(answer)
  const port = await new Promise<number>((resolve) => child.once('message', (message) => resolve(message as number)))
  const request = get('/events?queue_id=0123456789abcdef&last_event_id=AFTER', `Basic ${'x'.repeat(72)}`)
  const sends = 'POST /messages HTTP/1.1\r\nHost: 127.0.0.1\r\nContent-Length: 120\r\n\r\n'.padEnd(190, 'x')
  const room = await enter({ port, waits: Array.from({ length: MEMBERS }, () => request), sends: sized(sends) })
  return party(name, child.pid!, room, () => end(child))
}

/** Corrects the length in the head of a request. */
function sized(request: string): string {
  const [head, body] = request.split('\r\n\r\n') as [string, string]
  return `${head.replace(/Content-Length: \d+/, `Content-Length: ${body.length}`)}\r\n\r\n${body}`
}

async function startOther(name: string, folder: string, begin: StartOther): Promise<Party | undefined> {
  mkdirSync(folder)
  try {
    const port = await freePort()
    const server = await begin(folder, port)
    return party(name, server.pid, await xmppRoom(port, MEMBERS, CONTENT), () => server.stop())
  } catch (error) {
    console.log(`${name} is left out: ${error instanceof Error ? error.message.split('\n')[0] : error}`)
    return undefined
  }
}

type StartOther = (folder: string, port: number) => Promise<Running>

function end(child: ReturnType<typeof fork>): Promise<unknown> {
  const ended = new Promise((resolve) => child.once('exit', resolve))
  child.disconnect()
  child.kill('SIGINT')
  return ended
}

async function takeTurn({ room, pid, rates, costs }: Party): Promise<void> {
  const before = processorTime(pid)
  const { messages, seconds } = await sendFor(SECONDS, room)
  const after = processorTime(pid)
  rates.push(messages / seconds)
  if (before !== undefined && after !== undefined) costs.push((after - before) / (messages * MEMBERS))
}

function report(parties: readonly Party[]): void {
  for (const { name, rates, costs } of parties) {
    spread(`${name}: messages a second`, rates, '/s')
    if (costs.length > 0) spread('  processor time of the server a delivery', costs, 'µs', { digits: 1 })
  }
  const named = (name: string) => parties.find((each) => each.name === name)
  for (const [way, goal] of [
    ['long poll', 1],
    ['SSE', 2],
  ] as const) {
    const ours = named(way)!
    for (const other of [`ceiling, ${way}`, 'Prosody', 'ejabberd']) {
      const theirs = named(other)
      if (!theirs) continue
      // Turn by turn, because the machine changes from one to the next.
      const ratios = ours.rates.map((rate, turn) => rate / theirs.rates[turn]!)
      const least = other === 'ejabberd' ? goal : undefined
      spread(`${way}, rate relative to ${other}`, ratios, '', { least, digits: 2 })
    }
  }
}

const [only] = process.argv.slice(2)
const others = { Prosody: startProsody, ejabberd: startEjabberd }
const folder = mkdtempSync(join(tmpdir(), 'chat-bench-'))
const parties: Party[] = []
try {
  console.log(circumstances())
  parties.push(await startOurs('long poll', join(folder, 'polls.db'), pollingRoom))
  parties.push(await startOurs('SSE', join(folder, 'streams.db'), streamingRoom))
  await parties[0]!.room.round()
  parties.push(await startCeiling('ceiling, long poll', pollingRoom), await startCeiling('ceiling, SSE', streamingRoom))
  for (const [name, begin] of Object.entries(others)) {
    if (only && only !== name) continue
    const other = await startOther(name, join(folder, name), begin)
    if (other) parties.push(other)
  }
  // The first turn loads and compiles code.
  for (const each of parties) await sendFor(SECONDS, each.room)
  for (let turn = 0; turn < TURNS; turn++) for (const each of parties) await takeTurn(each)
  console.log(`${MEMBERS} members, one message at a time, ${TURNS} turns of ${SECONDS} s: median (range)`)
  report(parties)
  console.log(circumstances())
} finally {
  for (const { room, stop } of parties) {
    room.close()
    await stop()
  }
  rmSync(folder, { recursive: true, force: true })
}
