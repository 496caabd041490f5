// The page and its files, kept for a time without a connection. Nothing of an account is: requests of the API, files of
// messages and pictures of people do not pass here.

const CACHE = 'web-client'
const PAGE = '/'
/** Below it names say what is in a file: what is kept under one never changes. */
const HASHED = '/web/'
/** How long the page is waited for before the kept one is shown. */
const PATIENCE_MS = 5000

/** The answer to a request for the page or one of its files; undefined for all else. */
export function answerTo(event: FetchEvent): Promise<Response> | undefined {
  const { method, url, mode } = event.request
  const { origin, pathname } = new URL(url)
  if (method !== 'GET' || origin !== location.origin) return undefined
  if (pathname === PAGE && mode === 'navigate') return answerPage(event)
  return pathname.startsWith(HASHED) ? answerHashed(event.request) : undefined
}

export const keepFirstScreen = async (): Promise<void> => keepPage(await fetch(PAGE, { cache: 'no-cache' }))

/** The page as the server has it now; the kept one where the server cannot be reached. */
async function answerPage(event: FetchEvent): Promise<Response> {
  const kept = await (await caches.open(CACHE)).match(PAGE)
  try {
    const fresh = await fetch(PAGE, { cache: 'no-cache', ...(kept && { signal: AbortSignal.timeout(PATIENCE_MS) }) })
    // A proxy in front of a server that is being started again.
    if (kept && fresh.status >= 500) return kept
    event.waitUntil(keepPage(fresh.clone()).catch(() => {}))
    return fresh
  } catch (error) {
    if (kept) return kept
    throw error
  }
}

/** Keeps the page with the files that it begins with, and forgets those of an earlier one. */
async function keepPage(page: Response): Promise<void> {
  if (!page.ok) return
  const text = await page.clone().text()
  const cache = await caches.open(CACHE)
  if ((await (await cache.match(PAGE))?.text()) === text) return
  const files = [...text.matchAll(/(?:src|href)="(\/[^"]+)"/g)].map(([, path]) => path!)
  // First all files, then the page: what is kept is always whole.
  await cache.addAll(files)
  await cache.put(PAGE, page)
  for (const request of await cache.keys()) {
    const { pathname } = new URL(request.url)
    if (pathname !== PAGE && !files.includes(pathname)) await cache.delete(request)
  }
}

async function answerHashed(request: Request): Promise<Response> {
  const cache = await caches.open(CACHE)
  const kept = await cache.match(request)
  if (kept) return kept
  const fresh = await fetch(request)
  if (fresh.ok) await cache.put(request, fresh.clone())
  return fresh
}
