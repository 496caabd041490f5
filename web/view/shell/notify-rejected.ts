import { conversationLabel } from '../../model/navigation/conversation-label.ts'
import { addressOf, conversationKey } from '../../model/reading/conversations.ts'
import { entryConversation } from '../../model/reading/outgoing.ts'
import { go } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { whyNotSent } from '../feed/why-not-sent.ts'
import { currentFeed, isInSight } from '../parts/current-feed.ts'
import { notify } from '../parts/notices.tsx'

/** Returns whether the reader sees a message that is being sent. */
const isSeen = (local_id: string): boolean => isInSight(document.querySelector(`[data-outgoing="${local_id}"]`))

/** Reports messages that weren't sent unless the reader sees them. Returns a function that stops it. */
export function notifyRejected(session: Session): () => void {
  const known = new Set<string>()
  return session.outgoing.subscribe((entries) => {
    for (const entry of entries) {
      if (entry.status !== 'failed' || known.has(entry.local_id)) continue
      known.add(entry.local_id)
      const to = entryConversation(entry, session.state.user_id)
      const feed = currentFeed(session).peek()
      const isHere = to && feed?.conversation && conversationKey(feed.conversation) === conversationKey(to)
      if (!to || (isHere && isSeen(entry.local_id))) continue
      notify(pieceTexts.unsent.to(conversationLabel(session, to), whyNotSent(entry)), {
        label: pieceTexts.unsent.show,
        run: () => (isHere ? void feed.toNewest() : go(addressOf(to, session.state))),
      })
    }
  })
}
