import { isChatError } from '../../../src/client/index.ts'
import type { Session } from '../../model/state/session.ts'
import { composerOf, write } from '../../model/writing/compose.ts'
import { draftsOf } from '../../model/writing/drafts.ts'
import { withFile } from '../../model/writing/files-at-end.ts'
import { upload } from '../../model/writing/upload.ts'
import { linkForms } from '../../model/writing/uploads.ts'
import { texts } from '../../texts/texts.ts'
import { notify, reasonFor } from '../parts/notices.tsx'
import { insertText } from './insert-text.ts'

/**
 * Uploads files, whose links go into the text where they were added, even if the reader has moved on: after everything
 * else, or at the caret if words follow it.
 */
export function addFiles(session: Session, box: HTMLTextAreaElement, files: readonly File[]): void {
  const replace = (mark: string, text: string) => {
    const at = box.value.indexOf(mark)
    if (at === -1) {
      draftsOf(session).replace(mark, text)
      return
    }
    // Keeps the caret of a reader who keeps typing.
    box.setRangeText(text, at, at + mark.length, 'preserve')
    box.dispatchEvent(new Event('input', { bubbles: true }))
  }
  for (const file of files) {
    const { mark, link } = upload(file, session)
    const { value, selectionEnd, selectionStart } = box
    const isAmongWords = value.slice(selectionEnd).trim() !== ''
    const space = /\S$/.test(value.slice(0, selectionStart)) ? ' ' : ''
    const inserted = new Promise<void>((done) => {
      if (isAmongWords) return insertText(box, `${space}${mark} `, undefined, done)
      write(session, withFile(composerOf(session).content.peek(), mark))
      done()
    })
    const takeAway = () => {
      for (const form of linkForms(mark)) replace(form, '')
    }
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
  // Behind a dialog that is about to close nothing can have the focus.
  if (document.querySelector('dialog[open]')) requestAnimationFrame(() => box.focus())
  else box.focus()
}
