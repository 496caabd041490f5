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
  /** Messages whose responses were lost. */
  readonly lost: string[]
  /** How many are being answered, without polls that wait for something to happen. */
  underWay(): number
}

export function lineTo(w: World, person: Person, options: Partial<ClientOptions> = {}): Line {
  const app = createApp({ chat: w.chat, rateLimit: false })
  const underWay = new Set<URL>()
  const line: Omit<Line, 'client'> = {
    cut: false,
    losing: undefined,
    requests: [],
    lost: [],
    underWay: () => underWay.size,
  }
  const request = async (address: string | URL | Request, init: RequestInit = {}): Promise<Response> => {
    const failed = () => new TypeError('fetch failed')
    if (line.cut) throw failed()
    const url = new URL(String(address))
    const name = `${init.method} ${url.pathname.replace('/api/v1', '')}`
    line.requests.push(name)
    if (url.searchParams.get('dont_block') !== 'false') underWay.add(url)
    try {
      const answer = await Promise.race([app.fetch(new Request(url, init)), aborted(init.signal)])
      if (!line.cut && (line.losing === undefined || !url.pathname.includes(line.losing))) return answer
      line.lost.push(name)
      throw failed()
    } finally {
      underWay.delete(url)
    }
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
