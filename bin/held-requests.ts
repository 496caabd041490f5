import type { RequestListener } from 'node:http'

type Held = Parameters<RequestListener>

export interface HeldRequests {
  listener: RequestListener
  /** Hands all waiting and later requests to this listener. */
  open(listener: RequestListener): void
}

/**
 * Returns a listener that holds requests until `open` is called. Only health checks are answered immediately: the
 * server is alive but not ready, however long a migration takes.
 */
export function holdRequests(basePath = ''): HeldRequests {
  const held: Held[] = []
  let answer: RequestListener = (req, res) => {
    const path = (req.url ?? '').replace(/\?.*$/, '')
    const health = /^\/health(\/ready)?$/.exec(path.startsWith(`${basePath}/`) ? path.slice(basePath.length) : path)
    if (health && req.method === 'GET') void answerHealth(res, health[1] === undefined)
    else held.push([req, res])
  }
  return {
    listener: (...request) => answer(...request),
    open(listener) {
      answer = listener
      for (const request of held) listener(...request)
    },
  }
}

async function answerHealth(res: Held[1], alive: boolean): Promise<void> {
  const { refusalParts, unavailable } = await import('../src/http/responses.ts')
  const { status, body } = alive
    ? { status: 200, body: JSON.stringify({ result: 'success', msg: '' }) }
    : refusalParts(unavailable('The server is starting'))
  res.writeHead(status, { 'content-type': 'application/json; charset=utf-8', 'cache-control': 'no-store' }).end(body)
}
