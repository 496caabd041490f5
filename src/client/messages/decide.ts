import type { Client } from '../client.ts'
import { covers, type Feed, sentNarrow } from './feed.ts'
import type { Known, StoredFeed } from './known.ts'
import { isInNarrow } from './narrow.ts'
import { cutBefore, insertId, isIn } from './spans.ts'
import { undecided } from './undecided.ts'

/** Asks the server about messages of the feeds that only the server can decide about, such as searches. */
export function decisionsOf(known: Known, client: Client, isFollowed: (feed: Feed) => boolean) {
  const { messages, live, announce } = known
  const open = undecided<StoredFeed>(async (feed, ids) => {
    // Messages that are still known, not yet in the feed, and not after its end.
    const asked = ids.filter(
      (id) => messages.has(id) && feed.spans.some((span) => isIn(span, id) && !span.ids.includes(id)),
    )
    if (asked.length === 0) return
    if (!isFollowed(feed)) {
      // The known messages stay and only the end changes, so listeners need not hear of it.
      for (const id of asked) feed.spans = cutBefore(feed.spans, id)
      return
    }
    const { messages: matches } = await client.matchesNarrow({ msg_ids: asked, narrow: sentNarrow(feed.narrow) })
    const found = asked.filter((id) => matches[id] && messages.has(id))
    for (const id of found) {
      messages.set(id, { ...messages.get(id)!, ...matches[id] })
      feed.spans = insertId(feed.spans, id)
    }
    if (found.length > 0) announce(found, [feed])
  })
  return {
    /** Asks whether a message belongs to the feeds among these that know nothing better. */
    ask(id: number, among: Iterable<StoredFeed>): void {
      const message = messages.get(id)
      if (!message) return
      for (const feed of among)
        if (covers(feed.spans, id) && isInNarrow(message, feed.narrow, live.state!) === undefined) open.add(feed, id)
    },
    askAgain: open.askAgain,
  }
}
