import { signal } from '@preact/signals'
import type { FeedView } from '../../model/reading/feed-view.ts'

/** The feed that is on the page, for the keys. */
export const currentFeed = signal<FeedView | undefined>(undefined)

/** The message that the keys act on. */
export const selected = signal<number | undefined>(undefined)

export const messageElement = (id: number): HTMLElement | null => document.getElementById(`message-${id}`)

/** Selects a message and brings it into sight. */
export function select(id: number): void {
  selected.value = id
  const element = messageElement(id)
  element?.focus({ preventScroll: true })
  element?.scrollIntoView({ block: 'nearest' })
}

/** Selects the message so many places after the selected one, or the last one on the page. */
export function selectBy(steps: number): void {
  const feed = currentFeed.value
  if (!feed) return
  const ids = feed.rows.value.flatMap((row) => (row.kind === 'message' ? [row.message.id] : []))
  const at = ids.indexOf(selected.value ?? -1)
  const next = at === -1 ? ids.at(-1) : ids[Math.min(ids.length - 1, Math.max(0, at + steps))]
  if (next !== undefined) select(next)
}
