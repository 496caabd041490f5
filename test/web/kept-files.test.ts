import assert from 'node:assert/strict'
import test from 'node:test'

const ORIGIN = 'https://chat.example.com'

/** The storage of a browser, with one cache. */
function storage() {
  const stored = new Map<string, Response>()
  const at = (request: string | { url: string }) =>
    new URL(typeof request === 'string' ? request : request.url, ORIGIN).pathname
  const cache = {
    match: async (request: string | { url: string }) => stored.get(at(request))?.clone(),
    put: async (request: string | { url: string }, response: Response) => void stored.set(at(request), response),
    delete: async (request: { url: string }) => stored.delete(at(request)),
    keys: async () => [...stored.keys()].map((path) => ({ url: ORIGIN + path })),
    addAll: async (paths: string[]) => {
      for (const path of paths) stored.set(at(path), await fetch(path))
    },
  }
  return { stored, caches: { open: async () => cache } }
}

test('keeps a file that the next version of the page still uses', async (t) => {
  const { stored, caches } = storage()
  let release = () => {}
  const slow = new Promise<void>((resolve) => {
    release = resolve
  })
  const answers = async (path: string | { url: string }) => {
    const { pathname } = new URL(typeof path === 'string' ? path : path.url, ORIGIN)
    if (pathname === '/') return new Response('<script src="./web/main-2.js"></script>')
    if (pathname === '/web/main-2.js') await slow
    return new Response(pathname)
  }
  Object.assign(globalThis, { location: new URL(`${ORIGIN}/`), caches })
  t.mock.method(globalThis, 'fetch', answers as never)
  // A variable, because the types of workers are not known to this program.
  const worker = '../../web/worker/files.ts'
  const { answerTo } = await import(worker)
  for (const path of ['/web/main-1.js', '/web/de-1.js', '/web/old-1.js']) stored.set(path, new Response(path))
  stored.set('/', new Response('<script src="./web/main-1.js"></script>'))
  const waits: Promise<unknown>[] = []
  const ask = (path: string, mode = 'no-cors') =>
    answerTo({
      request: { method: 'GET', url: ORIGIN + path, mode },
      waitUntil: (work: Promise<unknown>) => void waits.push(work),
    })
  await ask('/', 'navigate')
  // The new page needs it while the worker stores the page's first files.
  await ask('/web/de-1.js')
  release()
  await Promise.all(waits)
  assert.deepEqual([...stored.keys()].sort(), ['/', '/web/de-1.js', '/web/main-2.js'])
})
