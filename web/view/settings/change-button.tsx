import type { Signal } from '@preact/signals'

/** Opens and closes what can be changed of something, in its row of a list. */
export const ChangeButton = ({ name, isOpen }: { name: string; isOpen: Signal<boolean> }) => (
  <button
    type="button"
    aria-expanded={isOpen.value}
    aria-label={`Change ${name}`}
    onClick={() => (isOpen.value = !isOpen.value)}
  >
    Change
  </button>
)
