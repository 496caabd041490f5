import { isFirstViewDrawn } from '../../model/state/first-draw.ts'

/** About a screenful. */
const SCREEN = 25

/** How many entries of a long list to draw: a screenful with the page, and all of them when it is at rest. */
export const useDrawnLater = (): number => (isFirstViewDrawn.value ? Number.POSITIVE_INFINITY : SCREEN)
