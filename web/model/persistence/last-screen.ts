import type { KeptMessages } from '../../../src/client/index.ts'
import { storedName } from '../state/here.ts'
import { place } from '../state/route.ts'
import type { KeptSession, Session } from '../state/session.ts'
import { browserStorage } from './browser-storage.ts'
import { firstState } from './cached-state.ts'

// What is shown in the first moment of the next start. It is kept as text where it can be read without waiting, so that it
// is there when the page is drawn for the first time: the browser's database answers only after the server often has.

const STORED = storedName('screen')
/** The name of this very script: another one may expect a state of another form. */
const VERSION = import.meta.url
/** How many messages are kept on each side of the place that is read. */
const ON_SCREEN = 20

interface Screen extends KeptSession {
  version: string
}

export function keepScreen(session: Session): void {
  const where = place.peek()
  const narrow = where.view === 'feed' ? where.narrow : undefined
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
  } catch {
    // Without room in the browser the next start begins with nothing: what is there may be old.
    forgetScreen()
  }
}

export const forgetScreen = (): void => browserStorage().removeItem(STORED)

/** Shows what was on the screen last, where something was kept. */
export function showKeptScreen(session: Session): void {
  const screen = read()
  if (screen?.version !== VERSION) return
  session.restore({ ...screen, messages: withEnds(screen.messages) })
}

function read(): Screen | null {
  try {
    return JSON.parse(browserStorage().getItem(STORED) ?? 'null') as Screen | null
  } catch {
    // A machine that stopped meanwhile may have left half of it: the page begins as on a new device.
    return null
  }
}

/** As text a span that goes on to the newest message has lost its end: there is no infinity in JSON. */
const withEnds = ({ messages, feeds }: KeptMessages): KeptMessages => ({
  messages,
  feeds: feeds.map(({ narrow, spans }) => ({
    narrow,
    spans: spans.map((span) => ({ ...span, to: span.to ?? Number.POSITIVE_INFINITY })),
  })),
})
