import { conversationOf, narrowOf } from '../../model/reading/conversations.ts'
import { markUnreadFrom } from '../../model/reading/mark-read.ts'
import { loadPart } from '../../model/state/load-part.ts'
import { goToNarrow } from '../../model/state/route.ts'
import type { Session } from '../../model/state/session.ts'
import { composeTo } from '../../model/writing/compose.ts'
import { beginEdit } from '../../model/writing/edit.ts'
import { agree } from '../../model/writing/react.ts'
import { hasHistory, mayEdit, mayMove } from '../../model/writing/rights.ts'
import { texts } from '../../texts/texts.ts'
import { openProfile } from '../content/open-profile.tsx'
import { quote, react, replyBy, star } from '../feed/message-actions.tsx'
import { currentFeed, messageElement, select, selectedMessage, startOfKeys } from '../parts/current-feed.ts'
import { attempt, notify } from '../parts/notices.tsx'

export type Key = (session: Session) => void

type Work = (session: Session, found: NonNullable<ReturnType<typeof selectedMessage>>) => unknown

/** Does something with the selected message, or the one that is being read. */
const withMessage =
  (work: Work): Key =>
  (session) => {
    const start = startOfKeys(session)
    if (!selectedMessage(session) && start !== undefined) select(session, start)
    const found = selectedMessage(session)
    if (found) attempt(async () => void (await work(session, found)))
  }

const reply: Work = (session, found) => composeTo(session, conversationOf(found, session.state.user_id))

/** The keyboard shortcuts for a message in the feed. */
export const messageKeys: Readonly<Record<string, Key>> = {
  r: withMessage(reply),
  Enter: withMessage(reply),
  R: withMessage((session, { sender_id }) => composeTo(session, { type: 'direct', user_ids: [sender_id] })),
  '@': withMessage(replyBy('mention')),
  '>': withMessage(quote),
  e: withMessage((session, found) => {
    if (mayEdit(session, found)) return beginEdit(session, found)
    notify(texts.message.mayNotEdit)
  }),
  m: withMessage(async (session, found) => {
    if (found.type === 'stream' && mayMove(session, found))
      return (await loadPart(() => import('../settings/loaded-pages.ts'))).openMove(session, found)
    notify(texts.message.mayNotMove)
  }),
  H: withMessage(async (session, found) => {
    if (hasHistory(session, found))
      return (await loadPart(() => import('../settings/loaded-pages.ts'))).openHistory(session, found.id)
    const isChanged = (found.last_edit_timestamp ?? found.last_moved_timestamp) !== undefined
    notify(isChanged ? texts.message.historyHidden : texts.message.neverEdited)
  }),
  i: withMessage(async (_session, { id }) => {
    // They are drawn when the message is selected.
    await Promise.resolve()
    messageElement(id)?.querySelector<HTMLElement>('.actions [aria-haspopup]')?.click()
  }),
  '+': withMessage(react),
  '=': withMessage(agree),
  '*': withMessage(star),
  U: withMessage((session, { id }) => markUnreadFrom(session, currentFeed(session).value!.narrow, id)),
  v: withMessage((_session, { id }) =>
    messageElement(id)?.querySelector<HTMLElement>('.message_inline_image a')?.click(),
  ),
  u: withMessage((session, { sender_id }) => openProfile(session, sender_id)),
  s: withMessage((session, found) => goToNarrow(narrowOf(conversationOf(found, session.state.user_id)), found.id)),
  S: withMessage((_session, found) => {
    if (found.type === 'stream') goToNarrow([{ operator: 'channel', operand: found.stream_id }], found.id)
  }),
}
