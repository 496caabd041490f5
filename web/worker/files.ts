// The page and its files, kept for a time without a connection. Nothing of an account is: requests of the API, files of
// messages and pictures of people do not pass here.

declare const self: ServiceWorkerGlobalScope

export const PAGE = new URL('.', location.href).pathname
/** All paths of a host share one storage. */
const CACHE = PAGE === '/' ? 'web-client' : `${PAGE} web-client`
/** Names of the files below it contain a hash, so a cached file never changes. */
const HASHED = `${PAGE}web/`
/** How long to wait for the page before the cached page is used. */
const PATIENCE_MS = 5000
/** Paths of files that were asked for since the newest page was. It may use them although an earlier page had them, too. */
const used = new Set<string>()

/** The answer to a request for the page or one of its files; undefined for all else. */
export function answerTo(event: FetchEvent): Promise<Response> | undefined {
  const { method, url, mode } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== location.origin) return undefined
  if (mode === 'navigate') return pathname === PAGE ? answerPage(event) : answerOnce(event)
  return pathname.startsWith(HASHED) ? answerHashed(event) : undefined
}

export const keepFirstScreen = async (): Promise<void> => keepPage(await fetch(PAGE, { cache: 'no-cache' }))

/** Not every browser has routes, and TypeScript doesn't know them. */
interface RoutedEvent extends ExtendableEvent {
  addRoutes?(routes: readonly object[]): Promise<void>
}

/** Lets API requests go directly to the server, past the worker, in browsers that support it. */
export const passRequestsBy = (event: ExtendableEvent): void =>
  void (event as RoutedEvent)
    .addRoutes?.([{ condition: { urlPattern: `${PAGE}json/*` }, source: 'network' }])
    .catch(() => {})

/** Has the browser ask for the page while it starts the worker, where it can. */
export const fetchPagesAhead = async (): Promise<void> => self.registration.navigationPreload?.enable()

/** The page as the server has it now; the kept one where the server cannot be reached. */
async function answerPage(event: FetchEvent): Promise<Response> {
  used.clear()
  const kept = await (await caches.open(CACHE)).match(PAGE)
  try {
    const asked = fetchPage(event)
    // Also if it arrives too late for this visit. Otherwise a slow server's page would never be updated.
    event.waitUntil(asked.then((page) => keepPage(page.clone())).catch(() => {}))
    const fresh = await (kept ? Promise.race([asked, impatience()]) : asked)
    // A proxy in front of a server that is being started again.
    return kept && fresh.status >= 500 ? kept : fresh
  } catch (error) {
    if (kept) return kept
    throw error
  }
}

const fetchPage = async ({ preloadResponse }: FetchEvent): Promise<Response> =>
  ((await preloadResponse) as Response | undefined) ?? fetch(PAGE, { cache: 'no-cache' })

/**
 * Any other page. The browser has asked for it ahead. If that answer weren't used, the browser would ask again, and an address
 * that works once, such as the return from an identity provider, would have been used already.
 */
const answerOnce = async ({ preloadResponse, request }: FetchEvent): Promise<Response> =>
  ((await preloadResponse) as Response | undefined) ?? fetch(request)

const impatience = (): Promise<never> =>
  new Promise((_resolve, reject) => setTimeout(() => reject(new Error('too slow')), PATIENCE_MS))

/** Caches the page with its first files, and deletes an earlier page's files. */
async function keepPage(page: Response): Promise<void> {
  if (!page.ok) return
  const text = await page.clone().text()
  const files = [...text.matchAll(/(?:src|href)="(\.?\/[^"]+)"/g)].map(
    ([, path]) => new URL(path!, location.href).pathname,
  )
  const cache = await caches.open(CACHE)
  const [kept, ...others] = await Promise.all([PAGE, ...files].map((path) => cache.match(path)))
  if ((await kept?.text()) === text && others.every((file) => file)) return
  // The new page may already have stored some of its other files at the end of this.
  const stored = await cache.keys()
  // First all files, then the page, so that the cache is always complete.
  await cache.addAll(files)
  await cache.put(PAGE, page)
  for (const request of stored) {
    const { pathname } = new URL(request.url)
    if (pathname !== PAGE && !files.includes(pathname) && !used.has(pathname)) await cache.delete(request)
  }
}

/** Stores files that the page loaded before this worker could, such as its language. */
export async function keepFiles(addresses: readonly string[]): Promise<void> {
  const cache = await caches.open(CACHE)
  const files = addresses.filter((address) => new URL(address).pathname.startsWith(HASHED))
  const isKept = await Promise.all(files.map((file) => cache.match(file)))
  await cache.addAll(files.filter((_, i) => !isKept[i]))
}

async function answerHashed(event: FetchEvent): Promise<Response> {
  used.add(new URL(event.request.url).pathname)
  const cache = await caches.open(CACHE)
  const kept = await cache.match(event.request)
  if (kept) return kept
  const fresh = await fetch(event.request)
  // Without space in the browser, the page works without the cache.
  if (fresh.ok) event.waitUntil(cache.put(event.request, fresh.clone()).catch(() => {}))
  return fresh
}
