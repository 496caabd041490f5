import { H3 } from 'h3'
import type { Chat } from '../core/chat.ts'
import { badRequest } from '../core/errors.ts'
import { json, refusal, unknownPath, wrongMethod } from './answers.ts'
import { failure, handlerOf, type Shell } from './dispatch.ts'
import { serveFiles } from './files.ts'
import { createLimits, noLimits } from './limits.ts'
import { routes as allRoutes } from './routes.ts'
import { serveEventStream } from './sse.ts'
import { serveStatic } from './static.ts'
import type { Routes } from './table.ts'

export const API_PREFIX = '/api/v1'

export interface AppOptions {
  /** Requests a user, an address or a password may make; on unless said otherwise. */
  rateLimit?: boolean
  /** Base URL as clients know it, without a trailing slash; else what each request calls us. */
  publicUrl?: string
  /** Whether X-Forwarded-* headers are a proxy's that we control: all of them, those of this machine, or from these addresses. */
  trustProxy?: boolean | 'loopback' | string[]
  /** Another table of routes; the API's own unless given. */
  routes?: Routes
}

/** A chat's HTTP interface. */
export interface App {
  h3: H3
  /** Answers without a socket. */
  fetch(request: Request): Promise<Response>
  /** Answers whoever waits for news, and keeps no connection from now on. */
  release(): void
}

/**
 * The HTTP interface of a chat as a function from requests to responses, for embedding in another server.
 *
 * @example
 * const app = createApp(chat)
 * const response = await app.fetch(new Request('http://localhost/api/v1/server_settings'))
 */
export function createApp(chat: Chat, options: AppOptions = {}): App {
  const { rateLimit = true, trustProxy = false, routes = allRoutes } = options
  const shell: Shell = {
    chat,
    limits: rateLimit ? createLimits(chat) : noLimits,
    publicUrl: options.publicUrl ?? configured(chat),
    trustProxy: trustProxy !== false,
    waiting: new Set(),
    closing: false,
  }
  let document: Promise<string> | undefined
  const h3 = new H3({
    silent: true,
    // Only what happens before any handler: a malformed path is the one thing known.
    onError: (error, event) =>
      error.unhandled ? failure(shell, event, error.cause) : refusal(badRequest('Malformed request')),
  })
  for (const [path, row] of Object.entries(routes)) h3.all(API_PREFIX + path, handlerOf(shell, path, row))
  h3.all(`${API_PREFIX}/openapi.json`, async ({ req }) => {
    if (req.method !== 'GET' && req.method !== 'HEAD') return wrongMethod(['GET', 'HEAD'])
    // Loaded when first asked for: most servers never are.
    document ??= import('./openapi.ts').then(({ openApiDocument }) =>
      JSON.stringify(openApiDocument(routes, API_PREFIX)),
    )
    return json(200, await document)
  })
  serveEventStream(h3, shell, API_PREFIX)
  serveFiles(h3, chat)
  serveStatic(h3)
  h3.all('/**', () => refusal(unknownPath()))
  return {
    h3,
    fetch: async (request) => h3.fetch(request),
    release() {
      shell.closing = true
      for (const waiting of shell.waiting) waiting.abort()
    },
  }
}

/** The chat's public URL, unless it is the one that stands for none. */
const configured = ({ options }: Chat): string | undefined =>
  options.publicUrl === 'http://localhost' ? undefined : options.publicUrl
