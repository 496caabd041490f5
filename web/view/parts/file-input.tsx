import { useSignal } from '@preact/signals'
import type { TargetedEvent } from 'preact'
import { pageTexts } from '../../texts/page-texts.ts'

interface FileInputProps {
  name?: string
  accept?: string
  required?: boolean
  disabled?: boolean
  onChange?(event: TargetedEvent<HTMLInputElement>): void
}

/**
 * Chooses a file. Browsers write on their own button in the language of the system, so it lies invisible above one of
 * the page.
 */
export function FileInput({ onChange, ...others }: FileInputProps) {
  const chosen = useSignal('')
  return (
    <span class="file-input">
      <input
        {...others}
        type="file"
        onChange={(event) => {
          const { files, form } = event.currentTarget
          chosen.value = files?.[0]?.name ?? ''
          form?.addEventListener('reset', () => (chosen.value = ''), { once: true })
          onChange?.(event)
        }}
      />
      <span class="choose" aria-hidden="true">
        {pageTexts.common.chooseFile}
      </span>
      {chosen.value && <span class="quiet small">{chosen.value}</span>}
    </span>
  )
}
