import type { Signal } from '@preact/signals'
import { pageTexts } from '../../texts/page-texts.ts'

/** Disclosure and closes what can be changed of something, in its row of a list. */
export const ChangeButton = ({ name, isOpen }: { name: string; isOpen: Signal<boolean> }) => (
  <button
    type="button"
    aria-expanded={isOpen.value}
    aria-label={pageTexts.common.editName(name)}
    onClick={() => (isOpen.value = !isOpen.value)}
  >
    {pageTexts.common.edit}
  </button>
)
