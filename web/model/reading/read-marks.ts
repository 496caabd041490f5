import { signal } from '@preact/signals'
import { perSession, type Session } from '../state/session.ts'

const BATCH_MS = 1000

interface ReadMarks {
  /** These were on the screen long enough. */
  seen(ids: readonly number[]): void
  /** These are to stay unread, although they are in sight: resolves when no request that marks messages is under way. */
  keepUnread(ids: readonly number[]): Promise<unknown>
}

/** Scrolling marks nothing while this is set: somebody has said what is unread. */
export const keepsUnread = signal(false)

/** Marks as read what was seen, a second's worth at a time. */
export const readMarks = perSession((session): ReadMarks => {
  const waiting = new Set<number>()
  const sent = new Set<number>()
  const underWay = new Set<Promise<void>>()
  let timer: ReturnType<typeof setTimeout> | undefined

  function flush(): void {
    const request = mark().finally(() => underWay.delete(request))
    underWay.add(request)
  }
  async function mark(): Promise<void> {
    timer = undefined
    const ids = [...waiting]
    waiting.clear()
    if (ids.length === 0) return
    for (const id of ids) sent.add(id)
    try {
      await session.client.updateFlags({ messages: ids, op: 'add', flag: 'read' })
    } catch {
      // Still unread: they are marked when they are seen the next time.
    }
    for (const id of ids) sent.delete(id)
  }
  return {
    seen(ids) {
      if (keepsUnread.value) return
      for (const id of ids) if (isUnread(session, id) && !sent.has(id)) waiting.add(id)
      if (waiting.size > 0 && timer === undefined) timer = setTimeout(flush, BATCH_MS)
    },
    keepUnread(ids) {
      keepsUnread.value = true
      for (const id of ids) waiting.delete(id)
      return Promise.all(underWay)
    },
  }
})

const isUnread = ({ messages }: Session, id: number): boolean => messages.get(id)?.flags.includes('read') === false
