import { H3 } from 'h3'
import { randomText } from '../core/base/random.ts'
import type { Chat } from '../core/chat.ts'
import { badRequest, unknownPath } from '../core/errors.ts'
import { createDeadlines } from './body/deadlines.ts'
import { handlerOf } from './dispatch.ts'
import { beginExchange, type Shell } from './exchange.ts'
import { failure } from './failure.ts'
import type { Counters } from './guards/counters.ts'
import { createGuards, noGuards } from './guards/guards.ts'
import type { Rates } from './guards/rates.ts'
import { clientReader, type TrustProxy } from './proxy.ts'
import { requestIds, requestLogging } from './request-log.ts'
import type { RequestLogEntry } from './request-log-entry.ts'
import { refusal } from './responses.ts'
import type { Routes, Section } from './route-types.ts'
import { sections as apiSections } from './routes/api.ts'
import { siteSection } from './routes/site.ts'
import { staticFile } from './serve/static.ts'
import type { Authenticate } from './sign-in/host-user.ts'

export const API_PREFIX = '/api/v1'

export interface AppOptions {
  /** Tells who asks by what the host application knows; without it, and where it knows nobody, by API key. */
  authenticate?: Authenticate
  /** Whether requests and wrong passwords are limited; on unless given. */
  rateLimit?: boolean
  /** Limits that differ from the usual ones. */
  rateLimits?: Partial<Rates>
  /** Where limits are counted; in this process's memory unless given. */
  counters?: Counters
  /** Base URL as clients know it, without a trailing slash; else what each request calls us. */
  publicUrl?: string
  /** Whose X-Forwarded-* headers are believed; nobody's unless given. */
  trustProxy?: TrustProxy
  /** Called with each answered request, for an access log. Answers then carry their request's id. */
  onRequest?: (entry: RequestLogEntry) => void
  /** Another table of routes; the API's own unless given. */
  routes?: Routes
}

/** A chat's HTTP interface. */
export interface App {
  /** Answers a request, which may come from any server, or from no socket at all. */
  fetch(request: Request): Promise<Response>
  /** Answers requests that wait for events, and keeps no connection from now on. */
  release(): void
}

/**
 * The HTTP interface of an open chat as a function from requests to responses, for embedding in another server.
 *
 * @throws Error for an entry of `trustProxy` that is no address and no range
 * @example
 * const app = createApp({ chat })
 * const response = await app.fetch(new Request('http://localhost/api/v1/server_settings'))
 */
export function createApp({ chat, ...options }: AppOptions & { chat: Chat }): App {
  const { rateLimit = true, trustProxy = false, routes, onRequest } = options
  const sections = routes ? [{ tag: 'api', routes }] : apiSections
  const { clock } = chat
  const newId = requestIds(`${randomText(chat.random, 6)}-`)
  const shell: Shell = {
    chat,
    guards: rateLimit ? createGuards({ clock, rates: options.rateLimits, counters: options.counters }) : noGuards,
    clientOf: clientReader({
      trustProxy,
      publicUrl: options.publicUrl ?? configured(chat),
      onUntrusted: (address) => chat.options.log(untrusted(address), { address }),
    }),
    authenticate: options.authenticate,
    deadlines: createDeadlines(clock),
    newId,
    logged: onRequest !== undefined,
    waiting: new Set(),
    closing: false,
  }
  const h3 = new H3({
    silent: true,
    // Only what happens before any handler: a malformed path is the one thing known.
    onError: (error, event) =>
      error.unhandled ? failure(beginExchange(shell, event), error.cause) : refusal(badRequest('Malformed request')),
    ...(onRequest && requestLogging(clock, newId, onRequest)),
  })
  const serve = (table: Routes, prefix = '') => {
    for (const [path, row] of Object.entries(table)) h3.all(prefix + path, handlerOf(shell, prefix + path, row))
  }
  for (const section of sections) serve(section.routes, API_PREFIX)
  serve({ '/openapi.json': { GET: openApi(sections) } }, API_PREFIX)
  serve(siteSection.routes)
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
  staticFile(
    'getOpenApi',
    'Get the description of this API',
    'application/json; charset=utf-8',
    async () => {
      // Loaded when first asked for: most servers never are.
      const { openApiDocument } = await import('./openapi/document.ts')
      const prefixed = sections.map((section) => ({ ...section, prefix: API_PREFIX }))
      return JSON.stringify(await openApiDocument([...prefixed, siteSection]))
    },
    'private',
  )

const untrusted = (address: string) =>
  `warning: ${address} sends X-Forwarded-* headers, which are ignored; if it is your proxy, trust it (--trust-proxy ${address})`

/** The chat's public URL, unless it is the default. */
const configured = ({ options }: Chat): string | undefined =>
  options.publicUrl === 'http://localhost' ? undefined : options.publicUrl
