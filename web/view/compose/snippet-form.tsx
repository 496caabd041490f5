import { useSignal } from '@preact/signals'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { texts } from '../../texts/texts.ts'
import { DialogFooter, useDialogWork } from '../parts/dialog.tsx'
import { Problem } from '../parts/notices.tsx'

/** The server's limit for titles. */
const MAX_TITLE = 60

interface SnippetFormProps {
  title: string
  content: string
  save(values: { title: string; content: string }): Promise<unknown>
}

/** The name and the text of a saved snippet. */
export function SnippetForm(props: SnippetFormProps) {
  const title = useSignal(props.title)
  const content = useSignal(props.content)
  const { problem, run } = useDialogWork()
  const submit = (event: Event) => {
    event.preventDefault()
    void run(() => props.save({ title: title.value, content: content.value }))
  }
  return (
    <form class="snippet-form" onSubmit={submit}>
      <label>
        {pieceTexts.snippets.name}
        <input
          required
          maxLength={MAX_TITLE}
          value={title.value}
          onInput={(event) => (title.value = event.currentTarget.value)}
        />
      </label>
      <label>
        {pieceTexts.snippets.text}
        <textarea
          required
          rows={5}
          value={content.value}
          onInput={(event) => (content.value = event.currentTarget.value)}
        />
      </label>
      <Problem of={problem} />
      <DialogFooter action={texts.common.save} />
    </form>
  )
}
