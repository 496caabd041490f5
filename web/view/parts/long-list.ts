import { useSignal } from '@preact/signals'
import { isFirstViewDrawn } from '../../model/state/first-draw.ts'

/** About a screenful. */
const SCREEN = 25

/** How many entries of a long list to draw: a screenful with the page, and all of them when it is at rest. */
export const useDrawnLater = (): number => (isFirstViewDrawn.value ? Number.POSITIVE_INFINITY : SCREEN)

/** How many entries to draw of a list that scrolls by itself: more as its end comes near. Its element takes `onScroll`. */
export function useDrawnByScrolling(): { most: number; onScroll: (event: Event) => void } {
  const most = useSignal(2 * SCREEN)
  const onScroll = ({ currentTarget }: Event) => {
    const { scrollTop, clientHeight, scrollHeight } = currentTarget as HTMLElement
    if (scrollHeight - scrollTop < 2 * clientHeight) most.value += SCREEN
  }
  // The people beside the messages come after these.
  return { most: isFirstViewDrawn.value ? most.value : 0, onScroll }
}
