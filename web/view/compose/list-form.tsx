import { useSignal } from '@preact/signals'
import { useLayoutEffect, useRef } from 'preact/hooks'
import { perSession, type Session } from '../../model/state/session.ts'
import { sendText, whyNotSend } from '../../model/writing/compose.ts'
import { pieceTexts } from '../../texts/piece-texts.ts'
import { DialogFooter, openDialog, useDialogWork } from '../parts/dialog.tsx'
import { Icon } from '../parts/icon.tsx'
import { IconButton } from '../parts/icon-button.tsx'
import { Problem } from '../parts/notices.tsx'

export type ListKind = 'poll' | 'todo'

const words = {
  poll: {
    title: pieceTexts.pollForm.title,
    name: pieceTexts.pollForm.name,
    line: pieceTexts.pollForm.line,
    add: pieceTexts.widgets.addOption,
    remove: pieceTexts.pollForm.remove,
    action: pieceTexts.pollForm.action,
  },
  todo: {
    title: pieceTexts.todoForm.title,
    name: pieceTexts.todoForm.name,
    line: pieceTexts.todoForm.line,
    add: pieceTexts.widgets.addTask,
    remove: pieceTexts.todoForm.remove,
    action: pieceTexts.todoForm.action,
  },
} as const

/** What was entered and not sent, if the dialog was closed. */
const leftIn = perSession((): Partial<Record<ListKind, { title: string; lines: string[] } | undefined>> => ({}))

/** Asks for a poll or a to-do list, and sends it to the composer's recipients. */
export const openListForm = (session: Session, kind: ListKind): void =>
  openDialog(words[kind].title, <ListForm session={session} kind={kind} />)

function ListForm({ session, kind }: { session: Session; kind: ListKind }) {
  const { name, line, add, remove, action } = words[kind]
  const left = leftIn(session)
  const title = useSignal(left[kind]?.title ?? '')
  const lines = useSignal(left[kind]?.lines ?? ['', '', ''])
  const list = useRef<HTMLUListElement>(null)
  /** The line that gets the focus when it is drawn. */
  const wanted = useRef<number | undefined>(undefined)
  const { problem, run } = useDialogWork()
  useLayoutEffect(() => {
    if (wanted.current !== undefined) list.current!.querySelectorAll('input')[wanted.current]?.focus()
    wanted.current = undefined
  })
  const keep = () => {
    left[kind] = { title: title.value, lines: lines.value }
  }
  const setLines = (next: string[], focused?: number) => {
    lines.value = next
    wanted.current = focused
    keep()
  }
  const submit = (event: Event) => {
    event.preventDefault()
    void run(async () => {
      const text = [`/${kind} ${title.value.trim()}`, ...lines.value.map((one) => one.trim()).filter(Boolean)].join(
        '\n',
      )
      const reason = whyNotSend(session, text)
      if (reason) throw new Error(reason)
      sendText(session, text)
      left[kind] = undefined
    })
  }
  return (
    <form class="list-form" onSubmit={submit}>
      <label>
        {name}
        <input
          required
          value={title.value}
          onInput={(event) => {
            title.value = event.currentTarget.value
            keep()
          }}
        />
      </label>
      <ul ref={list}>
        {lines.value.map((text, i) => (
          <li key={i}>
            <input
              aria-label={line(i + 1)}
              placeholder={line(i + 1)}
              value={text}
              onInput={(event) => setLines(lines.value.with(i, event.currentTarget.value))}
              onKeyDown={(event) => {
                if (event.key !== 'Enter' || event.ctrlKey || event.metaKey) return
                event.preventDefault()
                const isLast = i === lines.value.length - 1
                setLines(isLast ? [...lines.value, ''] : lines.value, i + 1)
                if (!isLast) list.current!.querySelectorAll('input')[i + 1]!.focus()
              }}
            />
            <IconButton
              icon="close"
              label={remove(i + 1)}
              disabled={lines.value.length === 1}
              onClick={() => setLines(lines.value.toSpliced(i, 1), Math.max(0, i - 1))}
            />
          </li>
        ))}
      </ul>
      <button type="button" class="add" onClick={() => setLines([...lines.value, ''], lines.value.length)}>
        <Icon name="plus" /> {add}
      </button>
      <Problem of={problem} />
      <DialogFooter action={action} />
    </form>
  )
}
