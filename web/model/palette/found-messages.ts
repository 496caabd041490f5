import { type Signal, signal } from '@preact/signals'
import { type Message, type Narrow, sentNarrow } from '../../../src/client/index.ts'
import { parseSearch } from '../search/search.ts'
import type { Session } from '../state/session.ts'

const MOST = 5
const QUIET_MS = 250
/** Shorter words match too much. */
const SHORTEST = 2

/** Messages that match a query. */
export interface FoundMessages {
  query: string
  messages: readonly Message[]
}

interface MessageSearch {
  readonly found: Signal<FoundMessages>
  /** Searches once nothing more is typed. */
  search(query: string): void
  stop(): void
}

/** What the reader typed as the narrow of a search. */
export const searchNarrow = (session: Session, query: string): Narrow => parseSearch(session, query.trim())

/** Searches the server for the newest messages with the words that are being typed. */
export function messageSearch(session: Session): MessageSearch {
  const found = signal<FoundMessages>({ query: '', messages: [] })
  let timer: ReturnType<typeof setTimeout> | undefined
  let latest = 0
  const ask = async (query: string, own: number) => {
    try {
      const { messages } = await session.client.getMessages({
        narrow: sentNarrow(searchNarrow(session, query)),
        anchor: 'newest',
        num_before: MOST,
        num_after: 0,
        allow_empty_topic_name: true,
        client_gravatar: true,
      })
      if (own === latest) found.value = { query, messages: messages.toReversed() }
    } catch {
      // A half-typed operator, or no connection: the rest is found without the server.
      if (own === latest) found.value = { query, messages: [] }
    }
  }
  const stop = () => {
    latest += 1
    clearTimeout(timer)
  }
  return {
    found,
    search(query) {
      stop()
      const own = latest
      const text = query.trim()
      if (text.length < SHORTEST) found.value = { query: text, messages: [] }
      else timer = setTimeout(() => void ask(text, own), QUIET_MS)
    },
    stop,
  }
}
