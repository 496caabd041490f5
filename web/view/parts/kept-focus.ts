import { useEffect, useRef } from 'preact/hooks'

/**
 * Keeps the focus inside an element when what had it is removed, as the button of a row that goes: the keyboard goes on from
 * the element, which needs `tabIndex={-1}`, and not from the top of the page.
 */
export function useKeptFocus<E extends HTMLElement>() {
  const element = useRef<E>(null)
  useEffect(() => {
    const root = element.current!
    let last: EventTarget | null = null
    const note = (event: Event) => (last = event.target)
    const observer = new MutationObserver(() => {
      if (!(last instanceof Node) || last.isConnected || document.activeElement !== document.body) return
      last = null
      root.focus({ preventScroll: true })
    })
    root.addEventListener('focusin', note)
    observer.observe(root, { childList: true, subtree: true })
    return () => {
      root.removeEventListener('focusin', note)
      observer.disconnect()
    }
  }, [])
  return element
}
