import { useSignal } from '@preact/signals'

/** Returns whether the pointer or the focus has reached an element, for content that is only then useful. */
export function useHover() {
  const near = useSignal(false)
  const comes = () => {
    near.value = true
  }
  return { isNear: near.value, handlers: { onPointerEnter: comes, onFocusIn: comes } }
}
