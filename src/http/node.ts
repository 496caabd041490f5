import type { IncomingMessage, Server as NodeServer, RequestListener, ServerResponse } from 'node:http'
import type { Socket } from 'node:net'
import { toNodeHandler } from 'srvx/node'
import { badRequest, ChatError } from '../core/errors.ts'
import type { App } from './app.ts'
import { refusalParts, tooLarge } from './responses.ts'

/**
 * The app for servers that want a node:http listener.
 *
 * @example
 * createServer(nodeListener(createApp({ chat }))).listen(9991)
 */
export const nodeListener = (app: App): RequestListener =>
  // srvx's handler is for HTTP/1 and HTTP/2 at once.
  toNodeHandler(app.fetch) as RequestListener

/** Connections that send slowly are cut: so long for the headers, so long for an upload. Other bodies have less (body/). */
const timeouts = { headersTimeout: 15_000, requestTimeout: 600_000, keepAliveTimeout: 65_000 } as const

/** Sets a node:http server up for the app: its timeouts, and JSON for what Node refuses before the app sees it. */
export function configureNodeServer(server: NodeServer): void {
  // Without it Node refuses a request that names no host, and says nothing; the app does it with a body.
  Object.assign(server, timeouts, { requireHostHeader: false })
  server.on('clientError', refuseUnreadable)
  server.on('checkExpectation', refuseExpectation)
}

const LINGER_MS = 1000

const refusals: Readonly<Record<string, () => ChatError>> = {
  HPE_HEADER_OVERFLOW: () => new ChatError('HEADERS_TOO_LARGE', 'The request headers are too large'),
  HPE_CHUNK_EXTENSIONS_OVERFLOW: () => tooLarge('The chunk extensions are too large'),
  ERR_HTTP_REQUEST_TIMEOUT: () => new ChatError('REQUEST_TIMEOUT', 'The request did not arrive in time'),
}

/** The bytes that came are no request: nothing of it has reached the app. */
function refuseUnreadable(
  error: NodeJS.ErrnoException,
  socket: Socket & { _httpMessage?: ServerResponse | null },
): void {
  // Nothing can be added to an answer that has begun.
  if (!socket.writable || error.code === 'ECONNRESET' || socket._httpMessage?.headersSent) return void socket.destroy()
  const { status, body } = refusalParts((refusals[error.code ?? ''] ?? (() => badRequest('Malformed request')))())
  socket.end(
    [
      `HTTP/1.1 ${status} ${statusTexts[status] ?? 'Bad Request'}`,
      'connection: close',
      'content-type: application/json; charset=utf-8',
      `content-length: ${Buffer.byteLength(body)}`,
      '',
      body,
    ].join('\r\n'),
  )
  // Not at once: what the client has still sent unread would take the answer with it.
  setTimeout(() => socket.destroy(), LINGER_MS).unref()
}

const statusTexts: Readonly<Record<number, string>> = {
  408: 'Request Timeout',
  413: 'Payload Too Large',
  431: 'Request Header Fields Too Large',
}

function refuseExpectation(_request: IncomingMessage, response: ServerResponse): void {
  const { status, body } = refusalParts(new ChatError('EXPECTATION_FAILED', 'The only expectation met is 100-continue'))
  response.writeHead(status, {
    connection: 'close',
    'content-type': 'application/json; charset=utf-8',
    'content-length': Buffer.byteLength(body),
  })
  response.end(body)
}
