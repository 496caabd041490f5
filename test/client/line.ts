import { type Client, type ClientOptions, createClient } from '../../src/client/client.ts'
import type { Change, Live } from '../../src/client/live/live.ts'
import { createApp } from '../../src/http/app.ts'
import type { Person, World } from '../../src/testing/world.ts'

/** A connection between a client and a server in the same process, which a test can cut. */
export interface Line {
  client: Client
  /** Every request fails without reaching the server. */
  cut: boolean
  /** Requests whose path holds this reach the server, and their answers get lost. */
  losing: string | undefined
  /** Requests that reached the server, as `GET /events`. */
  readonly requests: string[]
}

export function lineTo(w: World, person: Person, options: Partial<ClientOptions> = {}): Line {
  const app = createApp({ chat: w.chat, rateLimit: false })
  const line: Omit<Line, 'client'> = { cut: false, losing: undefined, requests: [] }
  const request = async (url: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const failed = () => new TypeError('fetch failed')
    if (line.cut) throw failed()
    const { pathname } = new URL(String(url))
    line.requests.push(`${init.method} ${pathname.replace('/api/v1', '')}`)
    const answer = await Promise.race([app.fetch(new Request(String(url), init)), aborted(init.signal)])
    if (line.cut || (line.losing !== undefined && pathname.includes(line.losing))) throw failed()
    return answer
  }
  const { email, key } = person
  const client = createClient({ url: 'http://localhost', credentials: { email, key }, fetch: request, ...options })
  return Object.assign(line, { client })
}

const aborted = (signal: AbortSignal | null | undefined): Promise<never> =>
  new Promise((_, reject) => signal?.addEventListener('abort', () => reject(signal.reason)))

/** Resolves at the first change that the test holds for. */
export function changed(session: Live, test: (change: Change) => boolean): Promise<Change> {
  return new Promise((resolve) => {
    const end = session.onChange((change) => {
      if (!test(change)) return
      end()
      resolve(change)
    })
  })
}

/** Resolves when the test holds: now, or after a change. */
export async function until(session: Live, test: () => boolean): Promise<void> {
  if (!test()) await changed(session, test)
}
