import { PROXY_PATH } from '../core/accounts/providers/external-method.ts'
import { signOnOf } from '../core/accounts/providers/sign-on.ts'
import { gossipOf } from '../core/events/log/peer-gossip.ts'
import { getEvents } from '../core/events/queues/poll.ts'
import { randomText } from '../core/kernel/base/random.ts'
import type { Chat } from '../core/kernel/chat.ts'
import { basePathIn, configuredUrl, serveBelow } from '../core/kernel/public-url.ts'
import { notifyOfGuesses } from '../core/messages/notices/guessed-passwords.ts'
import { sendMessage } from '../core/messages/send/send.ts'
import { API_PREFIX } from './api-prefix.ts'
import { createDeadlines } from './body/deadlines.ts'
import type { Shell } from './exchange.ts'
import { type Counters, memoryCounters } from './guards/counters.ts'
import { createGuards, noGuards } from './guards/guards.ts'
import { noteLimits } from './guards/limits-in-force.ts'
import type { Rates } from './guards/rates.ts'
import { sharedCounters } from './guards/shared-counters.ts'
import type { Metrics } from './metrics/metrics.ts'
import { offerPasswordMeter } from './pages/password-meter.ts'
import type { PollListener } from './poll-listener.ts'
import { pollListener } from './polls.ts'
import { clientReader, type TrustProxy } from './proxy.ts'
import { requestIds, requestLogging } from './request-log.ts'
import type { RequestLogEntry } from './request-log-entry.ts'
import type { Routes } from './route-types.ts'
import { createRouter, type RouterOptions, sharedRouter } from './router.ts'
import { sections as apiSections } from './routes/api.ts'
import { pageSection } from './routes/pages.ts'
import { sendListener } from './sends.ts'
import type { Authenticate } from './sign-in/host-user.ts'
import { proxyHeaders } from './sign-in/proxy-headers.ts'
import { sessionCookies } from './sign-in/session.ts'
import { type WebFilesSource, webFiles } from './web/client-files.ts'
import { docsFiles, docsSection } from './web/docs-routes.ts'
import { readFrameAncestors } from './web/frame-ancestors.ts'
import { gifOrigins } from './web/gif-origins.ts'
import { webSection } from './web/web-routes.ts'

export { API_PREFIX } from './api-prefix.ts'

const EVENTS_PATH = '/events'
const MESSAGES_PATH = '/messages'

export interface AppOptions {
  /**
   * Identifies the user of a request in the host application's own way. If it returns no one, the API key decides.
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
  /** Called for each answered request, for an access log. Responses then include their request's id. */
  onRequest?: (entry: RequestLogEntry) => void
  /** Counts requests; by default nothing is counted. */
  metrics?: Metrics
  /**
   * Path below which everything is served, such as `/chat`; by default the path of `publicUrl`. Requests arrive with
   * their full path, and all others except `/health` get a 404. All apps of a chat have the same base path.
   */
  basePath?: string
  /** Whether the web client is served at `/`, and who may embed it; off by default. */
  web?: boolean | WebOptions
  /**
   * The web client's files: a folder, as a path or a `file:` URL, or an object that reads them. By default this
   * package's own files, which a bundle can't find.
   */
  webFiles?: WebFilesSource
  /** Whether the documentation site is served at `/docs`; off by default. */
  docs?: boolean
  /** A different route table; the API's by default. */
  routes?: Routes
}

export interface WebOptions {
  /**
   * Origins whose pages may embed the web client in a frame, such as `https://intranet.example`; none by default. Over
   * HTTPS each embedding site then has its own session cookie, so people sign in again in the frame. Over HTTP, and in
   * browsers without partitioned cookies, signing in doesn't work inside a frame.
   */
  frameAncestors?: readonly string[]
}

/** A chat's HTTP interface. */
export interface App {
  /** Path below which the app answers, without a trailing slash; empty at the root. */
  readonly basePath: string
  /** Answers a request from any server, or without a socket. */
  fetch(request: Request): Promise<Response>
  /** Answers plain polls of node:http without a Request object; missing if each request is logged. */
  readonly answerPoll?: PollListener | undefined
  /** The same for messages in short forms. */
  readonly answerSend?: PollListener | undefined
  /** Logs why a response could not be written. */
  readonly logFailure?: (error: unknown) => void
  /** Answers waiting polls, and closes connections after their next response. */
  release(): void
}

/**
 * Creates the HTTP interface of an open chat as a function from requests to responses, for embedding in another
 * server.
 *
 * @throws Error for an entry of `trustProxy` that is neither an address nor a range, an invalid `basePath` or
 * `frameAncestors`, and with `web` or `docs` if their files are missing
 * @example
 * const app = createApp({ chat })
 * const response = await app.fetch(new Request('http://localhost/api/v1/server_settings'))
 */
export function createApp({ chat, ...options }: AppOptions & { chat: Chat }): App {
  const { rateLimit = true, trustProxy = false, web = false, docs = false, routes, onRequest, metrics } = options
  const sections = routes ? [{ tag: 'api', routes }] : apiSections
  const framedBy = readFrameAncestors((typeof web === 'object' && web.frameAncestors) || [])
  const files = web === false ? undefined : webFiles(options.webFiles)
  offerPasswordMeter(chat, files)
  const base = serveBelow(chat, options.basePath ?? (options.publicUrl && basePathIn(options.publicUrl)))
  const { clock } = chat
  const newId = requestIds(`${randomText(chat.random, 6)}-`)
  const shell: Shell = {
    chat,
    guards: rateLimit
      ? createGuards({
          clock,
          rates: options.rateLimits,
          counters: options.counters ?? countersOf(chat),
          onGuesses: (account, guesses) => {
            notifyOfGuesses(chat, account, guesses).catch((error) =>
              chat.options.logger.error({ err: error }, 'a notice about guessed passwords could not be sent'),
            )
          },
        })
      : noGuards,
    clientOf: clientReader({
      trustProxy,
      publicUrl: withBase(options.publicUrl ?? configuredUrl(chat), base),
      basePath: base,
      onUntrusted: (address) => chat.options.logger.warn({ address }, untrusted(address)),
    }),
    proxyHeader: proxyHeaders({
      path: `${base}${PROXY_PATH}/`,
      proxy: signOnOf(chat)?.proxy,
      trustProxy,
      onUntrusted: (address, header) => chat.options.logger.warn({ address }, unnamed(address, header)),
    }),
    authenticate: options.authenticate,
    cookies: sessionCookies({ base, isFramed: framedBy.length > 0 }),
    deadlines: createDeadlines(clock),
    newId,
    logged: onRequest !== undefined,
    observers: { log: onRequest && requestLogging(clock, newId, onRequest), count: metrics?.answered },
    waiting: new Set(),
    closing: false,
  }
  noteLimits(chat, rateLimit ? (options.rateLimits ?? {}) : null)
  const routerOptions: RouterOptions = {
    base,
    // A host may identify people without a cookie, such as by their address. Pages of other sites must not act for them then.
    isShared: !options.authenticate,
    isObserved: onRequest !== undefined || metrics !== undefined,
  }
  const pictures = gifOrigins(chat.options.gifApiKeys)
  const makeRouter = () => {
    const pages = files ? webSection(files, framedBy, pictures) : pageSection
    return createRouter(routerOptions, {
      api: sections,
      pages: docs ? [docsSection(docsFiles(), base), pages] : [pages],
    })
  }
  const isUsual = !routes && !docs && options.webFiles === undefined
  const key = JSON.stringify([routerOptions, framedBy, pictures, files && [...files.keys()]])
  const route = isUsual ? sharedRouter(key, makeRouter) : makeRouter()
  // The log needs the request's id, and a host's own way of identifying people needs its request.
  const isDirect = !shell.logged && !shell.authenticate
  const hasPolls = isDirect && sections.some(({ routes }) => routes[EVENTS_PATH]?.GET === getEvents)
  const hasSends = isDirect && sections.some(({ routes }) => routes[MESSAGES_PATH]?.POST === sendMessage)
  return {
    basePath: base,
    fetch: async (request) => route(shell, request),
    answerPoll: hasPolls ? pollListener({ shell, path: `${base}${API_PREFIX}${EVENTS_PATH}`, metrics }) : undefined,
    answerSend: hasSends ? sendListener({ shell, path: `${base}${API_PREFIX}${MESSAGES_PATH}`, metrics }) : undefined,
    logFailure: (err) => chat.options.logger.error({ err }, 'a response could not be written'),
    release() {
      shell.closing = true
      for (const waiting of shell.waiting) waiting.abort()
    },
  }
}

/** The configured URL with the base path: `basePath` may be given without one, and must not contradict it. */
function withBase(publicUrl: string | undefined, base: string): string | undefined {
  if (publicUrl === undefined) return undefined
  const path = basePathIn(publicUrl)
  if (path !== '' && path !== base) throw new Error(`basePath is ${base || '/'}, but the public URL is ${publicUrl}`)
  return path === base ? publicUrl : publicUrl + base
}

const untrusted = (address: string) =>
  `${address} sends X-Forwarded-* headers, which are ignored. If it is your proxy, add --trust-proxy ${address}`

const unnamed = (address: string, header: string) =>
  `${address} sends the header ${header}, which is ignored. Only addresses in --trust-proxy may say who somebody is`

/** Nodes with a shared database share their counts. */
function countersOf(chat: Chat): Counters {
  const gossip = gossipOf(chat)
  return gossip ? sharedCounters(chat.clock, gossip) : memoryCounters(chat.clock)
}
