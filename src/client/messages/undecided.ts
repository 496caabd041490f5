/** How many messages one request asks about. Their ids are in its address. */
const AT_ONCE = 200

export interface Undecided<Feed> {
  /** Asks the server about a message, together with others added in the same moment. */
  add(feed: Feed, id: number): void
  /** Asks again about messages whose request failed. */
  askAgain(): void
}

/** New messages that only the server can decide about, as in a search, until the server has answered. */
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
