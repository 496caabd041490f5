import { type EventHandler, H3 } from 'h3'
import { FastResponse } from 'srvx'
import { badRequest, unknownPath } from '../core/kernel/errors.ts'
import { API_PREFIX } from './api-prefix.ts'
import { crossOrigin, readable } from './cross-origin.ts'
import { handlerOf } from './dispatch.ts'
import { beginExchange, type Shell, shellOf } from './exchange.ts'
import { failure } from './failure.ts'
import { observing } from './hooks.ts'
import { refusal } from './responses.ts'
import type { Routes, Section } from './route-types.ts'
import { compatibleSection } from './routes/compatible.ts'
import { pageSection } from './routes/pages.ts'
import { SCIM_PREFIX, scimSection } from './routes/scim.ts'
import { sessionSection } from './routes/session.ts'
import { healthRoutes, siteSection } from './routes/site.ts'
import { inScimForm } from './serve/scim.ts'
import { staticFile } from './serve/static-file.ts'
import { BROWSER_PREFIX } from './sign-in/session.ts'

/** Finds the handler of a request and calls it, for any app with these routes. */
export type Router = (shell: Shell, request: Request) => Response | Promise<Response>

export interface RouterOptions {
  /** Path below which everything is served, without a trailing slash; empty at the root. */
  readonly base: string
  /** Whether pages of other sites may call the API. */
  readonly isShared: boolean
  /** Whether the shell's observers are called. */
  readonly isObserved: boolean
}

/** The routes that differ from app to app. */
export interface OwnRoutes {
  readonly api: readonly Section[]
  /** What is served at `/`, and for browsers below it. */
  readonly pages: readonly Section[]
}

/** Most processes need one. */
const MAX_ROUTERS = 8
const routers = new Map<string, Router>()

/**
 * Returns the router of all apps with the same routes. The key says which routes. Building a router takes longer than most requests, and
 * an application may open many organizations.
 */
export function sharedRouter(key: string, make: () => Router): Router {
  const router = routers.get(key) ?? make()
  routers.set(key, router)
  if (routers.size > MAX_ROUTERS) routers.delete(routers.keys().next().value!)
  return router
}

export function createRouter({ base, isShared, isObserved }: RouterOptions, { api, pages }: OwnRoutes): Router {
  const h3 = new H3({
    silent: true,
    // Failures before any handler. A malformed path is the only known one.
    onError(error, event) {
      if (error.unhandled) return failure(beginExchange(shellOf(event), event), error.cause)
      const answer = refusal(badRequest('Malformed request'))
      return isShared && event.url.pathname.startsWith(`${base}${API_PREFIX}/`) ? readable(event, answer) : answer
    },
    ...(isObserved && observing),
  })
  const shared = isShared ? crossOrigin : (handler: EventHandler) => handler
  const placed = (prefix: string, path: string, handler: EventHandler): EventHandler => {
    if (prefix === API_PREFIX) return shared(handler)
    return path === '/' ? withSlash(base, handler) : handler
  }
  const serve = (table: Routes, ...prefixes: string[]) => {
    for (const [path, row] of Object.entries(table)) {
      const handler = handlerOf(path, row)
      for (const prefix of prefixes) h3.all(base + prefix + path, placed(prefix, path, handler))
    }
  }
  for (const section of api) serve(section.routes, API_PREFIX, BROWSER_PREFIX)
  serve(sessionSection.routes, BROWSER_PREFIX)
  serve({ '/openapi.json': { GET: openApi(api, base) } }, API_PREFIX)
  for (const { routes } of [siteSection, compatibleSection, scimSection, ...pages]) serve(routes, '')
  // Orchestrators ask the port itself and don't know the base path.
  if (base !== '') for (const [path, row] of Object.entries(healthRoutes)) h3.all(path, handlerOf(path, row))
  h3.all(
    `${base}${API_PREFIX}/**`,
    shared(() => refusal(unknownPath())),
  )
  h3.all(`${base}${SCIM_PREFIX}/**`, () => inScimForm(refusal(unknownPath())))
  h3.all('/**', () => refusal(unknownPath()))
  return (shell, request) => h3.request(request, undefined, { shell })
}

/** The web client's files have relative addresses, so its own address must end with a slash. */
const withSlash =
  (base: string, handler: EventHandler): EventHandler =>
  (event) =>
    base !== '' && event.url.pathname === base
      ? new FastResponse(null, { status: 302, headers: { location: `${base}/`, 'cache-control': 'no-store' } })
      : handler(event)

const openApi = (api: readonly Section[], base: string) =>
  staticFile({
    name: 'getOpenApi',
    summary: 'Get the description of this API',
    content_type: 'application/json; charset=utf-8',
    content: async () => {
      // Loaded on the first request because most servers never need it.
      const { openApiDocument } = await import('./openapi/document.ts')
      const prefixed = api.map((section) => ({ ...section, prefix: API_PREFIX }))
      const all = [...prefixed, sessionSection, siteSection, compatibleSection, scimSection, pageSection]
      return JSON.stringify(await openApiDocument(all, base))
    },
    cache: 'private',
  })
