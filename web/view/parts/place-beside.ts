/** Room between something that floats and its anchor, and the edges of the page. */
const GAP_PX = 4

/** Puts something above all else where there is room for it: below its anchor or above, within the page. */
export function placeBeside(floating: HTMLElement, anchor: Element): void {
  const at = anchor.getBoundingClientRect()
  const { width, height } = floating.getBoundingClientRect()
  const isWide = at.width > width
  const fromEnd = document.dir === 'rtl' ? at.left : at.right - width
  const left = isWide ? at.left : fromEnd
  const below = at.bottom + GAP_PX
  const top = below + height > innerHeight - GAP_PX ? Math.max(GAP_PX, at.top - GAP_PX - height) : below
  floating.style.left = `${Math.max(GAP_PX, Math.min(left, innerWidth - width - GAP_PX))}px`
  floating.style.top = `${Math.min(top, Math.max(GAP_PX, innerHeight - height - GAP_PX))}px`
}
