import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { upload } from '../../model/writing/uploads.ts'
import { notify } from '../parts/notices.tsx'
import { insertText } from './insert-text.ts'

/** Files that are pasted, dropped or chosen: each is uploaded, and its link put where the caret is. */
export function useFiles(box: RefObject<HTMLTextAreaElement | null>) {
  const over = useSignal(false)
  const add = (files: Iterable<File>) => {
    for (const file of files) {
      upload(file).then(
        (link) => link !== undefined && insertText(box.current, `${link} `),
        (error: Error) => notify(error.message),
      )
    }
  }
  const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
  return {
    over,
    add,
    onPaste(event: ClipboardEvent) {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      add(files)
    },
    handlers: {
      onDragOver(event: DragEvent) {
        if (!hasFiles(event)) return
        event.preventDefault()
        over.value = true
      },
      onDragLeave() {
        over.value = false
      },
      onDrop(event: DragEvent) {
        over.value = false
        if (!hasFiles(event)) return
        event.preventDefault()
        add(event.dataTransfer!.files)
      },
    },
  }
}
