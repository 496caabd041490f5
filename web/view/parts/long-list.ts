import { useSignal } from '@preact/signals'
import { useEffect } from 'preact/hooks'

/** Entries of a long list that are drawn with the page; the others follow when it is at rest. */
const AT_FIRST = 40
const REST_MS = 1500

/** How many entries of a list to draw: about a screenful with the page, and all of them later. */
export function useDrawnLater(): number {
  const most = useSignal(AT_FIRST)
  useEffect(() => {
    const timer = setTimeout(() => {
      most.value = Number.POSITIVE_INFINITY
    }, REST_MS)
    return () => clearTimeout(timer)
  }, [most])
  return most.value
}

/** How many entries to draw of a list that scrolls by itself: more as its end comes near. Its element takes `onScroll`. */
export function useDrawnByScrolling(): { most: number; onScroll: (event: Event) => void } {
  const most = useSignal(AT_FIRST)
  const onScroll = ({ currentTarget }: Event) => {
    const { scrollTop, clientHeight, scrollHeight } = currentTarget as HTMLElement
    if (scrollHeight - scrollTop < 2 * clientHeight) most.value += AT_FIRST
  }
  return { most: most.value, onScroll }
}
