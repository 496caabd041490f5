import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { FeedView } from '../../model/reading/feed-view.ts'
import { perSession, type Session } from '../../model/state/session.ts'
import { useSession } from '../session-context.ts'

/** The feed that is on the page, for the keys. */
export const currentFeed = perSession(() => signal<FeedView | undefined>(undefined))

/** The message that the keys act on. */
export const selected = perSession(() => signal<number | undefined>(undefined))

export const messageElement = (id: number): HTMLElement | null => document.getElementById(`message-${id}`)

/** The messages of a feed, in their order. */
const idsOf = (feed: FeedView | undefined): number[] =>
  feed?.rows.peek().flatMap((row) => (row.kind === 'message' ? [row.message.id] : [])) ?? []

/** The selected message, where it is one of the feed on the page. */
export function selectedMessage(session: Session) {
  const id = selected(session).value
  return id !== undefined && idsOf(currentFeed(session).peek()).includes(id) ? session.messages.get(id) : undefined
}

/** Selects a message and brings it into sight. */
export function select(session: Session, id: number): void {
  selected(session).value = id
  const element = messageElement(id)
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'nearest' })
}

/** Selects the message so many places after the selected one; where that is out of sight, the one that is being read. */
export function selectBy(session: Session, steps: number): void {
  const ids = idsOf(currentFeed(session).peek())
  const at = ids.indexOf(selected(session).value ?? -1)
  const isStart = at === -1 || !isInSight(messageElement(ids[at]!))
  const next = isStart ? startOfKeys(session) : ids[Math.min(ids.length - 1, Math.max(0, at + steps))]
  if (next !== undefined) select(session, next)
}

/** The message that is being read: the first new one in sight, else the last in sight. */
export function startOfKeys(session: Session): number | undefined {
  const shown = idsOf(currentFeed(session).peek()).filter((id) => isInSight(messageElement(id)))
  const line = document.querySelector('.feed .unread-line')
  const isNew = (id: number) =>
    line && line.compareDocumentPosition(messageElement(id)!) & Node.DOCUMENT_POSITION_FOLLOWING
  return (isInSight(line) ? shown.find(isNew) : undefined) ?? shown.at(-1)
}

export function isInSight(element: Element | null): boolean {
  const frame = document.querySelector('.feed')?.getBoundingClientRect()
  const own = element?.getBoundingClientRect()
  return frame !== undefined && own !== undefined && own.bottom > frame.top && own.top < frame.bottom
}

/** Selects the neighbor when the selected message disappears, and moves the focus to it if the message had it. */
export function useKeptSelection(feed: FeedView): void {
  const own = selected(useSession())
  const before = useRef<readonly number[]>([])
  const rows = feed.rows.value
  useLayoutEffect(() => {
    const now = idsOf(feed)
    const shown = new Set(now)
    const id = own.peek()
    const at = id === undefined || shown.has(id) ? -1 : before.current.indexOf(id)
    const isLeft = (one: number) => shown.has(one)
    if (at >= 0) {
      own.value = before.current.slice(at).find(isLeft) ?? before.current.slice(0, at).findLast(isLeft)
      const isFocusLost = document.activeElement === null || document.activeElement === document.body
      if (isFocusLost && own.value !== undefined) messageElement(own.value)?.focus({ preventScroll: true })
    }
    before.current = now
  }, [feed, rows, own])
}
