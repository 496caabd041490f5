import { useSignal } from '@preact/signals'
import type { RefObject } from 'preact'
import { useEffect } from 'preact/hooks'
import { isChatError } from '../../../src/client/index.ts'
import { composerOf } from '../../model/writing/compose.ts'
import { draftsOf } from '../../model/writing/drafts.ts'
import { upload } from '../../model/writing/uploads.ts'
import { texts } from '../../texts/texts.ts'
import { notify, reasonFor } from '../parts/notices.tsx'
import { useSession } from '../session-context.ts'
import { insertText } from './insert-text.ts'

/**
 * Uploads files that are pasted, dropped anywhere on the page, or chosen. The link goes into the text where the file
 * was added, even if the reader has moved on.
 */
export function useFiles(box: RefObject<HTMLTextAreaElement | null>) {
  const session = useSession()
  const over = useSignal(false)
  const replace = (mark: string, text: string) => {
    const element = box.current
    const at = element?.value.indexOf(mark) ?? -1
    if (!element || at === -1) {
      draftsOf(session).replace(mark, text)
      return
    }
    // Keeps the caret of a reader who keeps typing.
    element.setRangeText(text, at, at + mark.length, 'preserve')
    element.dispatchEvent(new Event('input', { bubbles: true }))
  }
  const add = (files: Iterable<File>) => {
    if (!box.current) {
      notify(texts.compose.recipientBeforeFile)
      return
    }
    for (const file of files) {
      const { mark, link } = upload(file, session)
      const { value, selectionStart } = box.current
      const space = /\S$/.test(value.slice(0, selectionStart)) ? ' ' : ''
      const inserted = new Promise<void>((done) => insertText(box.current, `${space}${mark} `, undefined, done))
      const takeAway = () => replace(`${mark} `, '')
      // A small file may be there before its mark.
      Promise.all([link, inserted]).then(
        ([text]) => (text === undefined ? takeAway() : replace(mark, text)),
        async (error: Error) => {
          takeAway()
          const reason = await reasonFor(error)
          notify(isChatError(error) ? texts.compose.uploadFailed(file.name, reason) : reason)
        },
      )
    }
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
