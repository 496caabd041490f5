import { useLayoutEffect, useRef } from 'preact/hooks'

/**
 * Keeps the focus inside an element when the focused element is removed, moved or disabled, as with a button of a deleted
 * row. The keyboard continues there, or at an ancestor with `tabIndex={-1}`, which the element itself needs, instead
 * of at the top of the page.
 */
export function useRestoredFocus<E extends HTMLElement>() {
  const element = useRef<E>(null)
  useLayoutEffect(() => {
    const root = element.current!
    let last: EventTarget | null = null
    const note = (event: Event) => (last = event.target)
    const observer = new MutationObserver((records) => {
      if (!(last instanceof HTMLElement)) return
      const [had, now] = [last, document.activeElement]
      if (now !== document.body && !(now === had && had.matches(':disabled'))) return
      const touched = records.find(({ target, removedNodes }) =>
        [target === had ? had : undefined, ...removedNodes].some((one) => one?.contains(had)),
      )
      const around = touched && (touched.target as Element).closest<HTMLElement>('[tabindex="-1"]')
      if (touched) afterwards(had, around?.isConnected ? around : root).focus({ preventScroll: true })
    })
    root.addEventListener('focusin', note)
    observer.observe(root, { childList: true, subtree: true, attributes: true, attributeFilter: ['disabled'] })
    return () => {
      root.removeEventListener('focusin', note)
      observer.disconnect()
    }
  }, [])
  return element
}

/** Returns where the keyboard continues after the focused element has changed. */
function afterwards(had: HTMLElement, around: HTMLElement): HTMLElement {
  if (!had.isConnected) return around
  if (!had.matches(':disabled')) return had
  return had.parentElement?.querySelector<HTMLElement>('button:enabled') ?? around
}
