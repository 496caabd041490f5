import { conversationLabel } from '../../model/navigation/conversation-label.ts'
import { addressOf, conversationKey } from '../../model/reading/conversations.ts'
import { entryConversation } from '../../model/reading/outgoing.ts'
import { go } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { texts } from '../../texts/texts.ts'
import { currentFeed } from '../feed/current-feed.ts'
import { notify } from '../parts/notices.tsx'

/** Reports messages that weren't sent if their view is no longer open. Returns a function that stops it. */
export function notifyRejected(session: Session): () => void {
  const known = new Set<string>()
  return session.outgoing.subscribe((entries) => {
    for (const entry of entries) {
      if (entry.status !== 'failed' || known.has(entry.local_id)) continue
      known.add(entry.local_id)
      const to = entryConversation(entry, session.state.user_id)
      const here = currentFeed.peek()?.conversation
      if (!to || (here && conversationKey(here) === conversationKey(to))) continue
      notify(texts.shell.notSent(conversationLabel(session, to), entry.error ?? ''), {
        label: texts.shell.showMessage,
        run: () => go(addressOf(to, session.state)),
      })
    }
  })
}
