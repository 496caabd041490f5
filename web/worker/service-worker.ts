import { answerTo, fetchPagesAhead, keepFiles, keepFirstScreen, passRequestsBy } from './files.ts'
import { openNotice, showNotice } from './push.ts'

declare const self: ServiceWorkerGlobalScope

self.addEventListener('install', (event) => {
  passRequestsBy(event)
  event.waitUntil(keepFirstScreen().then(() => self.skipWaiting()))
})
self.addEventListener('activate', (event) => event.waitUntil(Promise.all([fetchPagesAhead(), self.clients.claim()])))
self.addEventListener('fetch', (event) => {
  const answer = answerTo(event)
  if (answer) event.respondWith(answer)
})
self.addEventListener('push', (event) => event.waitUntil(showNotice(event.data?.json())))
self.addEventListener('message', (event) => {
  const { keep, notice } = event.data ?? {}
  // A page that began to load while the worker was activated wasn't taken over then.
  event.waitUntil(keep ? Promise.all([self.clients.claim(), keepFiles(keep)]) : showNotice(notice))
})
self.addEventListener('notificationclick', (event) => event.waitUntil(openNotice(event.notification)))
