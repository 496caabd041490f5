import { loadRest } from '../../texts/spoken.ts'
import { go } from './route.ts'

/** Whether this browser can keep the page for a time without a connection. */
const isPossible = 'serviceWorker' in navigator && import.meta.env.PROD

/** Makes the browser store the page and its files, and check for newer ones at each start. */
export function startWorker(): void {
  if (!isPossible) return
  navigator.serviceWorker.addEventListener('message', ({ data }) => {
    if (typeof data?.go === 'string') go(data.go)
  })
  // A browser that refuses, as in a private window, works while there is a connection.
  navigator.serviceWorker.register('service-worker.js', { updateViaCache: 'none' }).catch(() => {})
  if (!isFromWorker()) void keepLoaded()
}

/** Whether the worker answered the request for this page. One that began later, from an earlier visit, missed files. */
const isFromWorker = (): boolean =>
  (performance.getEntriesByType('navigation') as PerformanceNavigationTiming[]).some(
    ({ workerStart }) => workerStart > 0,
  )

/**
 * On a first visit the page loads files, such as its language's, before the worker stores them. Files that are on their
 * way when the worker begins are known only when they have arrived.
 */
async function keepLoaded(): Promise<void> {
  const { active } = await navigator.serviceWorker.ready
  await loadRest()
  new PerformanceObserver((list) => {
    const keep = list.getEntries().flatMap(({ name }) => (name.includes('/web/') ? [name] : []))
    if (keep.length > 0) active?.postMessage({ keep })
  }).observe({ type: 'resource', buffered: true })
}
