import type { H3, H3Event } from 'h3'
import { FastResponse } from 'srvx'
import { type Caller, callerOf } from '../core/context.ts'
import { badRequest, isChatError } from '../core/errors.ts'
import { busOf } from '../core/event-log/bus.ts'
import { getEvents } from '../core/event-queues/poll.ts'
import { eventTexts } from '../core/event-queues/poll-result.ts'
import { register } from '../core/event-queues/register.ts'
import { type Headers, wrongMethod } from './answers.ts'
import { signIn } from './credentials.ts'
import { failure, type Shell } from './dispatch.ts'
import { Received, takeForm } from './form.ts'
import { originOf } from './origin.ts'
import { programOf } from './program.ts'
import { decode, planOf } from './wire.ts'

export const EVENT_STREAM_PATH = '/events/stream'

const headers: Headers = {
  'content-type': 'text/event-stream; charset=utf-8',
  'cache-control': 'no-store',
  'x-accel-buffering': 'no',
  'x-content-type-options': 'nosniff',
}

/** A position as the stream names it: what an EventSource sends back finds the queue and the place in it. */
const POSITION = /^([A-Za-z0-9]{1,64}):(-?\d{1,15})$/

interface Position {
  queue_id: string
  last_event_id: number
}

/**
 * GET /events/stream: a queue's events as server-sent events. It reads `queue_id` and `last_event_id` as GET /events
 * does, or makes a queue of its own from the parameters of POST /register. `Last-Event-ID` goes on where it broke off.
 */
export function serveEventStream(h3: H3, shell: Shell, prefix: string): void {
  const plan = planOf(register.params)
  h3.all(prefix + EVENT_STREAM_PATH, async (event) => {
    if (event.req.method !== 'GET') return wrongMethod(['GET'])
    try {
      const { chat, limits } = shell
      const { user, key_id } = await limits.signIn(event, () => signIn(chat, event.req.headers.get('authorization')))
      const received = new Received(new Set())
      if (event.url.search.length > 1) takeForm(received, event.url.search.slice(1))
      const ending = new AbortController()
      const caller = callerOf(chat, user, {
        client: programOf(received.get('client'), event.req.headers.get('user-agent')),
        origin: originOf(event, shell.publicUrl, shell.trustProxy),
        signal: ending.signal,
        key_id,
      })
      const known = positionOf(event, received)
      const position = known ?? (await newQueue(caller, decode(plan, received)))
      // What is wrong with the queue is told by a status, while there still is one to give.
      if (known) await getEvents(caller, { ...known, dont_block: true })
      return new FastResponse(eventStream(shell, event, caller, position, ending), { headers })
    } catch (error) {
      return failure(shell, event, error)
    }
  })
}

function positionOf(event: H3Event, received: Received): Position | undefined {
  const resumed = event.req.headers.get('last-event-id')
  const [, queue_id, id] = POSITION.exec(resumed ?? '') ?? []
  if (queue_id) return { queue_id, last_event_id: Number(id) }
  if (resumed) throw badRequest('Invalid Last-Event-ID')
  const asked = received.get('queue_id')
  if (asked === undefined) return undefined
  const last = received.get('last_event_id') ?? '-1'
  if (!/^-?\d{1,15}$/.test(last)) throw badRequest('last_event_id is not an integer')
  return { queue_id: asked, last_event_id: Number(last) }
}

async function newQueue(caller: Caller, params: object): Promise<Position> {
  // The state is for POST /register: here only its events are of use.
  const { queue_id, last_event_id } = await register(caller, { ...params, fetch_event_types: [] })
  return { queue_id, last_event_id }
}

/** Polls for as long as somebody reads: the next poll begins when the last one's events are taken. */
function eventStream(shell: Shell, { req }: H3Event, caller: Caller, start: Position, ending: AbortController) {
  const encoder = new TextEncoder()
  const { queue_id } = start
  let last = start.last_event_id
  const stop = () => ending.abort()
  req.signal.addEventListener('abort', stop, { once: true })
  shell.waiting.add(ending)
  const done = () => {
    shell.waiting.delete(ending)
    req.signal.removeEventListener('abort', stop)
  }
  return new ReadableStream<Uint8Array>({
    start: (stream) => stream.enqueue(encoder.encode(block(queue_id, last))),
    async pull(stream) {
      try {
        const texts = eventTexts(await getEvents(caller, { queue_id, last_event_id: last }))
        let text = ''
        for (const json of texts) {
          const { id, type } = JSON.parse(json) as { id: number; type: string }
          last = id
          text += block(queue_id, id, type === 'heartbeat' ? undefined : { type, json })
        }
        if (text !== '') stream.enqueue(encoder.encode(text))
        if (!ending.signal.aborted && !busOf(caller.chat).closed) return
      } catch (error) {
        const told = isChatError(error) ? { code: error.code, msg: error.message } : { code: 'INTERNAL_ERROR' }
        if (!isChatError(error)) caller.chat.options.log('an event stream failed', { error: String(error) })
        stream.enqueue(encoder.encode(`event: end\ndata: ${JSON.stringify(told)}\n\n`))
      }
      done()
      stream.close()
    },
    cancel() {
      stop()
      done()
    },
  })
}

/**
 * One event on the wire. JSON has no line breaks and ids and types have only letters and digits, so nothing that
 * somebody wrote can begin a field. Without an event it only moves the reader's position, and keeps the line open.
 */
function block(queue_id: string, id: number, event?: { type: string; json: string }): string {
  const position = `id: ${queue_id}:${id}\n`
  return event ? `${position}event: ${event.type}\ndata: ${event.json}\n\n` : `${position}: heartbeat\n\n`
}
