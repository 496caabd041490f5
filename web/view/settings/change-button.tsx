import type { Signal } from '@preact/signals'
import { pageTexts } from '../../texts/page-texts.ts'

/** Opens and closes the details of a list row. */
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
