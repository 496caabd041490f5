import type { OutboxEntry } from '../../../src/client/index.ts'
import { giveBack } from '../persistence/outbox-storage.ts'
import { type StoredText, storedTexts, storeText } from '../persistence/stored-texts.ts'
import type { Session } from '../state/session.ts'
import { leave } from './compose.ts'
import { writtenTexts } from './written.ts'

/** Only in this page, because the next person on this device may be another. */
let held: { user_id: number; texts: ReadonlyMap<string, StoredText>; entries: readonly OutboxEntry[] } | undefined

/** Keeps unsent texts when a session ends, for the same user's next session. */
export function holdUnsent(session: Session): void {
  if (!session.isReady.peek()) return
  leave(session)
  const { user_id } = session.state
  const texts = new Map([...storedTexts(user_id), ...writtenTexts(session).stored()])
  held = { user_id, texts, entries: session.outgoing.peek().filter(({ status }) => status !== 'sent') }
}

export function giveUnsentBack(user_id: number): void {
  if (held?.user_id === user_id) {
    for (const [key, text] of held.texts) storeText(user_id, key, text)
    giveBack(held.entries)
  }
  dropUnsent()
}

export function dropUnsent(): void {
  held = undefined
}
