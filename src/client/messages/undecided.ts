/** So many messages are asked about with one request, whose address has their ids. */
const AT_ONCE = 200

export interface Undecided<Feed> {
  /** The server is to be asked about this message, together with all others that come in the same moment. */
  add(feed: Feed, id: number): void
  /** Asks again about those for which that failed. */
  askAgain(): void
}

/** New messages that only the server can decide about, as those of a search: which it is to be asked about, until it has answered. */
export function undecided<Feed>(ask: (feed: Feed, ids: readonly number[]) => Promise<void>): Undecided<Feed> {
  const waiting = new Map<Feed, Set<number>>()
  const wait = (feed: Feed, ids: readonly number[]) => {
    waiting.set(feed, new Set([...(waiting.get(feed) ?? []), ...ids]))
  }
  function askAgain(): void {
    const asked = [...waiting]
    waiting.clear()
    for (const [feed, set] of asked) {
      const all = [...set]
      for (let from = 0; from < all.length; from += AT_ONCE) {
        const ids = all.slice(from, from + AT_ONCE)
        ask(feed, ids).catch(() => wait(feed, ids))
      }
    }
  }
  return {
    add(feed, id) {
      wait(feed, [id])
      queueMicrotask(askAgain)
    },
    askAgain,
  }
}
