import { useSignal } from '@preact/signals'

/** Whether the pointer or the focus has come to something: what only then is of use is made then. */
export function useHover() {
  const near = useSignal(false)
  const comes = () => {
    near.value = true
  }
  return { isNear: near.value, handlers: { onPointerEnter: comes, onFocusIn: comes } }
}
