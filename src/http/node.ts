import {
  type IncomingMessage,
  type Server as NodeServer,
  type RequestListener,
  type ServerResponse,
  STATUS_CODES,
} from 'node:http'
import type { Socket } from 'node:net'
import { NodeRequest, sendNodeResponse } from 'srvx/node'
import { timers } from '../core/kernel/base/timers.ts'
import { badRequest, ChatError } from '../core/kernel/errors.ts'
import type { App } from './app.ts'
import { refusalParts, textOf, tooLarge } from './responses.ts'
import { writeText } from './serve/write-text.ts'

/**
 * Returns the app as a node:http listener.
 * @example
 * createServer(nodeListener(createApp({ chat }))).listen(9991)
 */
export function nodeListener(app: App): RequestListener {
  return (request: IncomingMessage & { originalUrl?: string }, response) => {
    // Express removes the path that a listener is mounted at from the URL.
    if (app.basePath !== '') request.url = request.originalUrl ?? request.url ?? ''
    const answering = app.answerPoll?.(request, response) || app.answerSend?.(request, response)
    if (!answering) return void handle(app, request, response)
    void answering.then(
      (answered) => {
        if (!answered) void handle(app, request, response)
      },
      (error) => fail(app, response, error, true),
    )
  }
}

async function handle(app: App, request: IncomingMessage, response: ServerResponse): Promise<void> {
  let hasBegun = false
  try {
    const answer = await app.fetch(new NodeRequest({ req: request, res: response }))
    // The host application has answered itself, for example after a time limit of its own.
    if (response.headersSent) return void (await answer.body?.cancel())
    hasBegun = true
    const text = textOf(answer)
    if (text !== undefined && request.httpVersionMajor === 1) return writeText(answer, text, response)
    withReasons(response)
    await sendNodeResponse(response, answer)
  } catch (error) {
    fail(app, response, error, hasBegun)
  }
}

/** @param hasBegun - whether the response is the app's, and not one of the host application */
function fail(app: App, response: ServerResponse, error: unknown, hasBegun: boolean): void {
  app.logFailure?.(error)
  if (!response.headersSent) response.writeHead(500).end()
  else if (hasBegun && !response.writableEnded) response.destroy()
}

/** Adds reason phrases to status lines. srvx writes empty ones, which some clients can't read. */
function withReasons(response: ServerResponse): void {
  const writeHead = response.writeHead as (status: number, ...rest: unknown[]) => ServerResponse
  response.writeHead = (status: number, ...[reason, ...rest]: unknown[]) =>
    writeHead.call(response, status, reason === '' ? STATUS_CODES[status] : reason, ...rest)
}

/** Closes slow connections: limits for the headers and for an upload. Other bodies have less time (body/). */
const timeouts = { headersTimeout: 15_000, requestTimeout: 600_000, keepAliveTimeout: 65_000 } as const

/** How often the first two are checked. Node's default of 30 seconds is twice the limit for headers. */
const connectionsCheckingInterval = 1000

/**
 * Configures a node:http server for the app: timeouts, and JSON responses for requests that Node rejects before the
 * app sees them.
 */
export function configureNodeServer(server: NodeServer): void {
  // Node's own check would reject a request without a Host header without a body. The app's response has one.
  Object.assign(server, timeouts, { requireHostHeader: false, connectionsCheckingInterval })
  // @NOTE the interval is read when the server starts to listen, and listhen takes no options for that
  if (server.listening) server.emit('listening')
  server.on('clientError', refuseUnreadable)
  server.on('checkExpectation', refuseExpectation)
}

const LINGER_MS = 1000

const refusals: Readonly<Record<string, () => ChatError>> = {
  HPE_HEADER_OVERFLOW: () => new ChatError('HEADERS_TOO_LARGE', 'The request headers are too large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () => tooLarge('The chunk extensions are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new ChatError('REQUEST_TIMEOUT', 'The request did not arrive in time'),
}

/** Answers bytes that aren't a valid HTTP request and never reach the app. */
function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket & { _httpMessage?: ServerResponse | null },
): void {
  // A response that has begun can't be changed.
  if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) return void socket.destroy()
  const { status, body } = refusalParts((refusals[error.code ?? ''] ?? (() => badRequest('Malformed request')))())
  socket.end(
    [
      `HTTP/1.1 ${status} ${STATUS_CODES[status]}`,
      'connection: close',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )
  // Destroyed later: with unread data from the client, the connection would be reset before the client reads the
  // response.
  timers.setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { status, body } = refusalParts(
    new ChatError('EXPECTATION_FAILED', 'The only supported expectation is 100-continue'),
  )
  response.writeHead(status, {
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
