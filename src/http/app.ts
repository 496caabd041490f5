import { H3 } from 'h3'
import { randomText } from '../core/base/random.ts'
import type { Chat } from '../core/chat.ts'
import { badRequest, unknownPath } from '../core/errors.ts'
import { gossipOf } from '../core/event-log/peer-gossip.ts'
import { configuredUrl } from '../core/public-url.ts'
import { createDeadlines } from './body/deadlines.ts'
import { handlerOf } from './dispatch.ts'
import { beginExchange, type Shell } from './exchange.ts'
import { failure } from './failure.ts'
import { type Counters, memoryCounters } from './guards/counters.ts'
import { createGuards, noGuards } from './guards/guards.ts'
import { noteLimits } from './guards/limits-in-force.ts'
import type { Rates } from './guards/rates.ts'
import { sharedCounters } from './guards/shared-counters.ts'
import { hooksFor } from './hooks.ts'
import type { Metrics } from './metrics/metrics.ts'
import { clientReader, type TrustProxy } from './proxy.ts'
import { requestIds } from './request-log.ts'
import type { RequestLogEntry } from './request-log-entry.ts'
import { refusal } from './responses.ts'
import type { Routes, Section } from './route-types.ts'
import { sections as apiSections } from './routes/api.ts'
import { pageSection } from './routes/pages.ts'
import { sessionSection } from './routes/session.ts'
import { siteSection } from './routes/site.ts'
import { staticFile } from './serve/static-file.ts'
import type { Authenticate } from './sign-in/host-user.ts'
import { BROWSER_PREFIX } from './sign-in/session.ts'
import { webFiles } from './web/client-files.ts'
import { webSection } from './web/web-routes.ts'

export const API_PREFIX = '/api/v1'

export interface AppOptions {
  /**
   * Identifies the user of a request by the host application's own means; without it, or where it returns nobody, the
   * API key does.
   */
  authenticate?: Authenticate
  /** Whether requests and wrong passwords are limited; true by default. */
  rateLimit?: boolean
  /** Limits that differ from the default rates. */
  rateLimits?: Partial<Rates>
  /** Where requests are counted; by default in this process's memory. */
  counters?: Counters
  /** Base URL as clients know it, without a trailing slash; by default taken from each request. */
  publicUrl?: string
  /** Proxies whose X-Forwarded-* headers are trusted; none by default. */
  trustProxy?: TrustProxy
  /** Called with each answered request, for an access log. Answers then carry their request's id. */
  onRequest?: (entry: RequestLogEntry) => void
  /** Counts requests; nothing is counted unless given. */
  metrics?: Metrics
  /** Whether the web client is served at `/`, or the folder of another one that Vite has built; off by default. */
  web?: boolean | { readonly folder: string }
  /** Another table of routes; by default that of the API. */
  routes?: Routes
}

/** A chat's HTTP interface. */
export interface App {
  /** Answers a request, from any server or without a socket. */
  fetch(request: Request): Promise<Response>
  /** Answers requests that wait for events, and closes connections after their answer from now on. */
  release(): void
}

/**
 * The HTTP interface of an open chat as a function from requests to responses, for embedding in another server.
 *
 * @throws Error for an entry of `trustProxy` that is neither an address nor a range
 * @example
 * const app = createApp({ chat })
 * const response = await app.fetch(new Request('http://localhost/api/v1/server_settings'))
 */
export function createApp({ chat, ...options }: AppOptions & { chat: Chat }): App {
  const { rateLimit = true, trustProxy = false, web = false, routes, onRequest, metrics } = options
  const sections = routes ? [{ tag: 'api', routes }] : apiSections
  const files = web === false ? undefined : webFiles(web === true ? undefined : web.folder)
  const { clock } = chat
  const newId = requestIds(`${randomText(chat.random, 6)}-`)
  const shell: Shell = {
    chat,
    guards: rateLimit
      ? createGuards({ clock, rates: options.rateLimits, counters: options.counters ?? countersOf(chat) })
      : noGuards,
    clientOf: clientReader({
      trustProxy,
      publicUrl: options.publicUrl ?? configuredUrl(chat),
      onUntrusted: (address) => chat.options.logger.warn({ address }, untrusted(address)),
    }),
    authenticate: options.authenticate,
    deadlines: createDeadlines(clock),
    newId,
    logged: onRequest !== undefined,
    waiting: new Set(),
    closing: false,
  }
  noteLimits(chat, rateLimit ? (options.rateLimits ?? {}) : null)
  const h3 = new H3({
    silent: true,
    // Only failures before any handler, of which a malformed path is the only known one.
    onError: (error, event) =>
      error.unhandled ? failure(beginExchange(shell, event), error.cause) : refusal(badRequest('Malformed request')),
    ...hooksFor({ onRequest, metrics }, clock, newId),
  })
  const serve = (table: Routes, ...prefixes: string[]) => {
    for (const [path, row] of Object.entries(table)) {
      const handler = handlerOf(shell, path, row)
      for (const prefix of prefixes) h3.all(prefix + path, handler)
    }
  }
  for (const section of sections) serve(section.routes, API_PREFIX, BROWSER_PREFIX)
  serve(sessionSection.routes, BROWSER_PREFIX)
  serve({ '/openapi.json': { GET: openApi(sections) } }, API_PREFIX)
  serve(siteSection.routes, '')
  serve(files ? webSection(files).routes : pageSection.routes, '')
  h3.all('/**', () => refusal(unknownPath()))
  return {
    fetch: async (request) => h3.fetch(request),
    release() {
      shell.closing = true
      for (const waiting of shell.waiting) waiting.abort()
    },
  }
}

const openApi = (sections: readonly Section[]) =>
  staticFile({
    name: 'getOpenApi',
    summary: 'Get the description of this API',
    content_type: 'application/json; charset=utf-8',
    content: async () => {
      // Loaded when first requested: most servers never need it.
      const { openApiDocument } = await import('./openapi/document.ts')
      const prefixed = sections.map((section) => ({ ...section, prefix: API_PREFIX }))
      return JSON.stringify(await openApiDocument([...prefixed, sessionSection, siteSection, pageSection]))
    },
    cache: 'private',
  })

const untrusted = (address: string) =>
  `${address} sends X-Forwarded-* headers, which are ignored; if it is your proxy, trust it (--trust-proxy ${address})`

/** Nodes that share a database count together. */
function countersOf(chat: Chat): Counters {
  const gossip = gossipOf(chat)
  return gossip ? sharedCounters(chat.clock, gossip) : memoryCounters(chat.clock)
}
