import { answerTo, keepFirstScreen } from './files.ts'

declare const self: ServiceWorkerGlobalScope

self.addEventListener('install', (event) => event.waitUntil(keepFirstScreen().then(() => self.skipWaiting())))
self.addEventListener('activate', (event) => event.waitUntil(self.clients.claim()))
self.addEventListener('fetch', (event) => {
  const answer = answerTo(event)
  if (answer) event.respondWith(answer)
})
