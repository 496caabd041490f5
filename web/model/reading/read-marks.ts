import { signal } from '@preact/signals'
import { perSession, type Session } from '../state/session.ts'

const BATCH_MS = 1000

interface ReadMarks {
  /** Records that these were visible long enough. */
  seen(ids: readonly number[]): void
  /** Keeps these unread although they are visible. Resolves when no request that marks messages is in progress. */
  keepUnread(ids: readonly number[]): Promise<unknown>
}

/** While it is set, scrolling marks nothing, because the reader has marked messages as unread. */
export const keepsUnread = perSession(() => signal(false))

/** Marks visible messages as read, a second's worth at a time. */
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
      // They stay unread, and are marked when they are visible again.
    }
    for (const id of ids) sent.delete(id)
  }
  return {
    seen(ids) {
      if (keepsUnread(session).value) return
      for (const id of ids) if (isUnread(session, id) && !sent.has(id)) waiting.add(id)
      if (waiting.size > 0 && timer === undefined) timer = setTimeout(flush, BATCH_MS)
    },
    keepUnread(ids) {
      keepsUnread(session).value = true
      for (const id of ids) waiting.delete(id)
      return Promise.all(underWay)
    },
  }
})

const isUnread = ({ messages }: Session, id: number): boolean => messages.get(id)?.flags.includes('read') === false
