/**
 * What node:http itself can do: a server that sends the bytes of our answers and does nothing else. It knows no users,
 * stores nothing and doesn't wait for the disk. The first message from its parent is the JSON of an answer.
 */
import { createServer, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'

const HEADERS = { 'cache-control': 'no-store', 'x-content-type-options': 'nosniff' }
const JSON_HEADERS = { ...HEADERS, 'content-type': 'application/json; charset=utf-8' }
const STREAM_HEADERS = { ...HEADERS, 'content-type': 'text/event-stream; charset=utf-8', 'x-accel-buffering': 'no' }
const SENT = '{"result":"success","msg":"","id":1}'

let newest = 0
let answer = ''
let event = ''
let held: ServerResponse[] = []
const streams = new Set<ServerResponse>()

const server = createServer((request, response) => {
  const { searchParams, pathname } = new URL(request.url!, 'http://localhost')
  if (request.method === 'POST') {
    request.resume().once('end', () => {
      newest++
      const body = answerNow()
      const waiting = held
      held = []
      for (const each of waiting) sendJson(each, body)
      const block = `id: queue:${newest}\nevent: message\ndata: ${event}\n\n`
      for (const each of streams) each.write(block)
      sendJson(response, SENT)
    })
  } else if (pathname === '/events/stream') {
    response.writeHead(200, STREAM_HEADERS)
    response.write('id: queue:0\n: heartbeat\n\n')
    streams.add(response)
    response.once('close', () => streams.delete(response))
  } else if (Number(searchParams.get('last_event_id')) >= newest || newest === 0) held.push(response)
  else sendJson(response, answerNow())
})

/** The answer with the ID of the newest event, which the next poll has. */
const answerNow = (): string => answer.replace(/"id":\d+\}\],"queue_id"/, `"id":${newest}}],"queue_id"`)

function sendJson(response: ServerResponse, body: string): void {
  response.writeHead(200, { ...JSON_HEADERS, 'content-length': Buffer.byteLength(body) }).end(body)
}

process.once('message', (text: string) => {
  answer = text
  event = JSON.stringify((JSON.parse(text) as { events: unknown[] }).events[0])
  server.listen(0, '127.0.0.1', () => process.send?.((server.address() as AddressInfo).port))
})
process.on('disconnect', () => process.exit())
