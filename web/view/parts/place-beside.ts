/** Room between something that floats and its anchor, and the edges of the page. */
const GAP_PX = 4

/**
 * Puts something above all else where there is room for it: below its anchor, or above. It begins where its anchor
 * begins if it should, if it is narrower, or if the anchor is in the first half of the page, and otherwise ends where
 * that ends. It stays within the part of the page
 * that is visible above a phone's keyboard, and follows its anchor until the returned function is called.
 */
export function placeBeside(floating: HTMLElement, anchor: Element, side: 'start' | 'end' = 'end'): () => void {
  const seen = visualViewport!
  const place = () => {
    if (!anchor.isConnected) return
    const at = anchor.getBoundingClientRect()
    const { width, height } = floating.getBoundingClientRect()
    const [left, right] = [seen.offsetLeft + GAP_PX, seen.offsetLeft + seen.width - width - GAP_PX]
    const [top, bottom] = [seen.offsetTop + GAP_PX, seen.offsetTop + seen.height - height - GAP_PX]
    const isFromRight = document.dir === 'rtl'
    const isFirstHalf = at.left + at.right < innerWidth !== isFromRight
    const isAtStart = side === 'start' || at.width >= width || isFirstHalf
    const x = isAtStart === isFromRight ? at.right - width : at.left
    const below = at.bottom + GAP_PX
    const above = at.top - GAP_PX - height
    const y = below > bottom ? above : below
    floating.style.left = `${Math.max(left, Math.min(x, right))}px`
    floating.style.top = `${Math.max(top, Math.min(y, bottom))}px`
    // Sheets from below stand on the keyboard.
    floating.style.setProperty('--keyboard', `${innerHeight - seen.offsetTop - seen.height}px`)
    floating.style.setProperty('--seen', `${seen.height}px`)
  }
  place()
  // Its content may come later.
  const sizes = new ResizeObserver(place)
  sizes.observe(floating)
  sizes.observe(anchor)
  const end = new AbortController()
  for (const type of ['resize', 'scroll'])
    for (const target of [window, seen]) target.addEventListener(type, place, { capture: true, signal: end.signal })
  return () => {
    sizes.disconnect()
    end.abort()
  }
}
