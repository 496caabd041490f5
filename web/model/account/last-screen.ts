import { type KeptMessages, messagesPath, type Narrow } from '../../../src/client/index.ts'
import { storedName } from '../here.ts'
import { narrowById } from '../navigation/permalink.ts'
import { browserStorage } from '../persistence/browser-storage.ts'
import { firstWindow } from '../reading/first-messages.ts'
import { firstUnreadIn } from '../reading/unread.ts'
import { forgetAhead, keepAhead } from '../state/ahead.ts'
import { place } from '../state/route.ts'
import type { KeptSession, Session } from '../state/session.ts'
import { firstState } from './cached-state.ts'

// The first frame of the next start. It is stored as text where it can be read synchronously, because the browser's
// database often answers after the server.

const STORED = storedName('screen')
/** The name of this script. Another version may expect another format. */
const VERSION = import.meta.url
/** Messages stored on each side of the reading place. */
const ON_SCREEN = 20

interface Screen extends KeptSession {
  version: string
}

export function keepScreen(session: Session): void {
  const where = place.peek()
  const narrow = where.view === 'feed' ? narrowById(session, where.narrow) : undefined
  const kept = narrow ? session.messages.keepFeed(narrow, ON_SCREEN) : { messages: [], feeds: [] }
  const stream_id = where.view === 'stream' ? where.stream_id : Number(narrow?.[0]?.operand)
  const screen = {
    version: VERSION,
    at: Date.now(),
    state: firstState(session, kept.messages, stream_id),
    messages: kept,
  }
  try {
    browserStorage().setItem(STORED, JSON.stringify(screen satisfies Screen))
    keepAhead(where.view === 'feed' && narrow ? firstPath(session, narrow, where.near) : undefined)
  } catch {
    // Without space in the browser, the next start begins empty, because the stored screen may be old.
    forgetScreen()
  }
}

/** What the next start at this place asks for first. */
function firstPath(session: Session, narrow: Narrow, near: number | undefined): string {
  const unread = firstUnreadIn(session, narrow)
  return messagesPath(narrow, firstWindow(near ?? unread.id, unread))
}

export function forgetScreen(): void {
  browserStorage().removeItem(STORED)
  forgetAhead()
}

/** Shows the last screen if one was stored. */
export function showKeptScreen(session: Session): void {
  const screen = read()
  if (screen?.version !== VERSION) return
  session.restore({ ...screen, messages: withEnds(screen.messages) })
}

function read(): Screen | null {
  try {
    return JSON.parse(browserStorage().getItem(STORED) ?? 'null') as Screen | null
  } catch {
    // A crash may have left half of it. The page then starts as on a new device.
    return null
  }
}

/** JSON has no infinity, so spans that reach the newest message have lost their ends. */
const withEnds = ({ messages, feeds }: KeptMessages): KeptMessages => ({
  messages,
  feeds: feeds.map(({ narrow, spans }) => ({
    narrow,
    spans: spans.map((span) => ({ ...span, to: span.to ?? Number.POSITIVE_INFINITY })),
  })),
})
