import { type Narrow, sentNarrow } from '../../../src/client/index.ts'
import { markRead, unreadIds } from '../../model/reading/mark-read.ts'
import { keepsUnread } from '../../model/reading/read-marks.ts'
import type { Session } from '../../model/state/session.ts'
import { texts } from '../../texts/texts.ts'
import { attempt, notify } from '../parts/notices.tsx'

/** Marks messages as read, says so, and offers to undo it. */
export async function readMessages(session: Session, ids: readonly number[]): Promise<void> {
  if (ids.length === 0) return
  const takeBack = await markRead(session, ids)
  const text = texts.conversation.markedRead(ids.length)
  notify(text, { label: texts.common.undo, run: () => attempt(takeBack) })
}

/** Marks all messages of a narrow as read. */
export async function readAll(session: Session, narrow: Narrow): Promise<void> {
  keepsUnread(session).value = false
  const known = unreadIds(session, narrow)
  if (known) {
    await readMessages(session, known)
    return
  }
  // Only the server knows which messages these are.
  const range = { anchor: 'newest', num_before: 5000, num_after: 0 } as const
  await session.client.updateFlagsForNarrow({ ...range, narrow: sentNarrow(narrow), op: 'add', flag: 'read' })
}
