import { effect } from '@preact/signals'
import { storedName } from '../here.ts'
import { browserStorage } from '../persistence/browser-storage.ts'
import { type Conversation, conversationIn, conversationKey } from '../reading/conversations.ts'
import { place } from '../state/route.ts'
import type { Session } from '../state/session.ts'

const STORED = storedName('opened-conversations')
const MOST = 20

/** The conversations that the reader opened last in this browser, latest first. */
export function visited(): readonly Conversation[] {
  try {
    return JSON.parse(browserStorage().getItem(STORED) ?? '[]') as Conversation[]
  } catch {
    return []
  }
}

/** Remembers which conversations are opened. Returns a function that stops it. */
export const noteVisits = (session: Session): (() => void) =>
  effect(() => {
    const where = place.value
    const here = where.view === 'feed' && conversationIn(where.narrow, session.state.user_id)
    if (!here) return
    const others = visited().filter((one) => conversationKey(one) !== conversationKey(here))
    browserStorage().setItem(STORED, JSON.stringify([here, ...others].slice(0, MOST)))
  })

export const forgetVisits = (): void => browserStorage().removeItem(STORED)
