import type { Feed, Loaded, Narrow, Window } from '../../../src/client/index.ts'
import { perSession, type Session } from '../state/session.ts'
import { conversationKey, conversationOf } from './conversations.ts'
import { firstUnreadIn } from './unread.ts'

/** How many messages are fetched at a time. */
export const PAGE = 60

/** The first window to fetch: around a message, at the first unread one, or at the newest. */
export const firstWindow = (wanted: number | undefined, unread: { isKnown: boolean }): Window => ({
  anchor: wanted ?? (unread.isKnown ? 'newest' : 'first_unread'),
  before: PAGE,
  after: PAGE,
})

/** The result of `fetchFirst`, until its view opens. */
const answered = perSession(() => new WeakMap<Feed, { window: Window; loaded: Loaded }>())

/** Fetches the messages of a narrow that will be shown, while the page is being drawn. */
export async function fetchFirst(session: Session, narrow: Narrow, near: number | undefined): Promise<void> {
  const unread = firstUnreadIn(session, narrow)
  const feed = session.messages.feed(narrow)
  if (feed.spans.length > 0 && !feed.isKept) return
  const window = firstWindow(near ?? unread.id, unread)
  try {
    answered(session).set(feed, { window, loaded: await feed.load(window) })
  } catch {
    // The view shows the error.
  }
}

/** Returns the result if it is for this window and nothing has changed since. */
export function takeAnswered(session: Session, feed: Feed, window: Window): Loaded | undefined {
  const known = answered(session)
  const { window: fetched, loaded } = known.get(feed) ?? {}
  known.delete(feed)
  const isSame = fetched?.anchor === window.anchor && loaded && feed.spans.includes(loaded.span)
  return isSame ? loaded : undefined
}

/** Minimum height of the line with the sender and of the bar of another conversation, in lines of text. */
const SENDER_LINES = 1.2
const BAR_LINES = 2

/** Returns how many of these messages surely fill the window; all of them if they don't. */
export function countToFill({ state, messages }: Session, ids: readonly number[], isMixed: boolean): number {
  const { web_font_size_px, web_line_height_percent } = state.user_settings
  let room = (innerHeight * 100) / (web_font_size_px * web_line_height_percent)
  let count = 0
  let sender: number | undefined
  let conversation: string | undefined
  for (const id of ids) {
    if (room <= 0) break
    count += 1
    const message = messages.get(id)
    if (!message) continue
    const key = isMixed ? conversationKey(conversationOf(message, state.user_id)) : undefined
    room -= 1 + (message.sender_id === sender ? 0 : SENDER_LINES) + (key === conversation ? 0 : BAR_LINES)
    sender = message.sender_id
    conversation = key
  }
  return count
}
