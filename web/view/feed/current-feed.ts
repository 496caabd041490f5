import { signal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import type { FeedView } from '../../model/reading/feed-view.ts'
import type { Session } from '../../model/state/session.ts'

/** The feed that is on the page, for the keys. */
export const currentFeed = signal<FeedView | undefined>(undefined)

/** The message that the keys act on. */
export const selected = signal<number | undefined>(undefined)

export const messageElement = (id: number): HTMLElement | null => document.getElementById(`message-${id}`)

/** The messages of the feed, in their order. */
export const idsOf = (feed = currentFeed.peek()): number[] =>
  feed?.rows.peek().flatMap((row) => (row.kind === 'message' ? [row.message.id] : [])) ?? []

/** The selected message, where it is one of the feed on the page. */
export const selectedMessage = (session: Session) =>
  selected.value !== undefined && idsOf().includes(selected.value) ? session.messages.get(selected.value) : undefined

/** Selects a message and brings it into sight. */
export function select(id: number): void {
  selected.value = id
  const element = messageElement(id)
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'nearest' })
}

/** Selects the message so many places after the selected one; where that is out of sight, the one that is being read. */
export function selectBy(steps: number): void {
  const ids = idsOf()
  const at = ids.indexOf(selected.value ?? -1)
  const isStart = at === -1 || !isInSight(messageElement(ids[at]!))
  const next = isStart ? startOfKeys() : ids[Math.min(ids.length - 1, Math.max(0, at + steps))]
  if (next !== undefined) select(next)
}

/** The message that is being read: the first new one in sight, else the last in sight. */
export function startOfKeys(): number | undefined {
  const shown = idsOf().filter((id) => isInSight(messageElement(id)))
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
  const before = useRef<readonly number[]>([])
  const rows = feed.rows.value
  useLayoutEffect(() => {
    const now = idsOf(feed)
    const shown = new Set(now)
    const id = selected.peek()
    const at = id === undefined || shown.has(id) ? -1 : before.current.indexOf(id)
    const isLeft = (one: number) => shown.has(one)
    if (at >= 0) {
      selected.value = before.current.slice(at).find(isLeft) ?? before.current.slice(0, at).findLast(isLeft)
      const isFocusLost = document.activeElement === null || document.activeElement === document.body
      if (isFocusLost && selected.value !== undefined) messageElement(selected.value)?.focus({ preventScroll: true })
    }
    before.current = now
  }, [feed, rows])
}
