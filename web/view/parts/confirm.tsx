import type { ComponentChildren } from 'preact'
import { texts } from '../../texts/texts.ts'
import { closeDialog, openDialog } from './dialog.tsx'
import { attempt } from './notices.tsx'

interface Question {
  title: ComponentChildren
  /** What will happen. */
  text: ComponentChildren
  action: string
  run(): Promise<unknown>
}

/** Asks before something that cannot be taken back. */
export function confirm({ title, text, action, run }: Question): void {
  const yes = () => {
    closeDialog()
    attempt(run)
  }
  openDialog(
    title,
    <>
      <p>{text}</p>
      <footer>
        <button type="button" onClick={closeDialog}>
          {texts.common.cancel}
        </button>
        <button type="button" class="primary dangerous" onClick={yes}>
          {action}
        </button>
      </footer>
    </>,
  )
}
