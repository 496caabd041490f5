import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { loadPart } from '../../model/state/load-part.ts'
import { composerOf } from '../../model/writing/compose.ts'
import { texts } from '../../texts/texts.ts'
import { attempt, notify } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'

export const loadTools = () => import('./writing-tools.ts')

/** Uploads files that are pasted, dropped anywhere on the page, or chosen. */
export function useFiles(box: RefObject<HTMLTextAreaElement | null>) {
  const session = useSession()
  const over = useSignal(false)
  const add = (files: Iterable<File>) => {
    const { current } = box
    const all = [...files]
    if (current) attempt(async () => (await loadPart(loadTools)).addFiles(session, current, all))
    else notify(texts.compose.recipientBeforeFile)
  }
  useEffect(() => {
    const hasFiles = (event: DragEvent) => event.dataTransfer?.types.includes('Files') ?? false
    // Beside the box the browser would open the file in place of the page.
    const onDragOver = (event: DragEvent) => {
      if (!hasFiles(event)) return
      event.preventDefault()
      over.value = true
    }
    const onDragLeave = (event: DragEvent) => {
      if (event.relatedTarget === null) over.value = false
    }
    const onDrop = (event: DragEvent) => {
      over.value = false
      if (!hasFiles(event)) return
      event.preventDefault()
      add(event.dataTransfer!.files)
    }
    addEventListener('dragover', onDragOver)
    addEventListener('dragleave', onDragLeave)
    addEventListener('drop', onDrop)
    return () => {
      removeEventListener('dragover', onDragOver)
      removeEventListener('dragleave', onDragLeave)
      removeEventListener('drop', onDrop)
    }
  }, [])
  return {
    /** Whether files are held above the page. */
    isOver: () => over.value && composerOf(session).target.value !== undefined,
    add,
    onPaste(event: ClipboardEvent) {
      const files = [...(event.clipboardData?.files ?? [])]
      if (files.length === 0) return
      event.preventDefault()
      add(files)
    },
  }
}
