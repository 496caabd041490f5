import { type Signal, signal } from '@preact/signals'
import { storedTexts, storeText } from '../persistence/stored-texts.ts'
import type { Conversation } from '../reading/conversations.ts'
import { perSession, type Session } from '../state/session.ts'
import { withoutMarks } from './uploads.ts'

/**
 * The state of a text being written, a message or an edit:
 *
 *     saved ──▶ writing ──▶ saving ──▶ answered ──▶ saved
 *                  ▲          └──▶ kept | refused | conflict
 *                  └──────────────────┘
 */
export type TextState =
  /** The server has it, or it is empty. Changes by other devices show here. */
  | { name: 'saved' }
  /** Changed since it was saved. */
  | { name: 'writing' }
  /** The server was asked to save this text. */
  | { name: 'saving'; sent: string }
  /** The server has it, but its event hasn't come: the live state is older. `gone` is the draft that was deleted. */
  | { name: 'answered'; gone?: number | undefined }
  /** Only the browser has it. It is saved as soon as that is possible. */
  | { name: 'kept' }
  | { name: 'refused'; error: unknown }
  /** The message's content has changed since its edit began. */
  | { name: 'conflict'; theirs: string }

/** A text being written. */
export interface Written {
  /** Stays the same when the recipients change. */
  readonly key: string
  readonly conversation: Conversation
  readonly text: string
  readonly state: TextState
  /** The text with the highest number is the one that its conversation shows. */
  readonly at: number
  /** The server's draft of a message. */
  readonly draft?: number | undefined
  /** A request to create the draft whose response was lost. Repeated with its key, it creates no second one. */
  readonly asked?: { readonly key: string; readonly draft: unknown } | undefined
  /** For an edit: its message, the Markdown that it started from, and whether its box is open. */
  readonly edit?: { readonly id: number; readonly base: string; readonly isOpen: boolean } | undefined
}

/** The one store of texts being written. It restores what the browser stored. */
export const writtenTexts = perSession((session) => {
  const { user_id } = session.state
  const restored = [...storedTexts(user_id)].map(([key, { of, ...stored }]) => {
    const state = stored.edit ? ({ name: 'writing' } as const) : ({ name: 'kept' } as const)
    return [key, signal<Written>({ key, conversation: of as Conversation, state, ...stored })] as const
  })
  const texts = signal<ReadonlyMap<string, Signal<Written>>>(new Map(restored))
  const isOver = () => session.connection.peek().status === 'ended'

  function put(written: Written): Written {
    const known = texts.peek().get(written.key)
    if (known) known.value = written
    else texts.value = new Map(texts.peek()).set(written.key, signal(written))
    return written
  }
  return {
    /** Returns a text, or undefined if there is none. Readers update when it changes. */
    get: (key: string): Written | undefined => texts.value.get(key)?.value,
    all: (): Written[] => [...texts.value.values()].map(({ value }) => value),
    put,
    /** Stores in the browser what the server doesn't have. */
    keep(written: Written): void {
      if (!isOver()) storeText(user_id, written.key, storedForm(session, written))
    },
    remove(key: string): void {
      texts.value = new Map([...texts.peek()].filter(([one]) => one !== key))
      if (!isOver()) storeText(user_id, key, undefined)
    },
    /** A number for `at` that is higher than all others. */
    next: (): number => Math.max(0, ...[...texts.peek().values()].map((one) => one.peek().at)) + 1,
    /** Everything that the browser stores, by key. */
    stored: () =>
      [...texts.peek().values()].flatMap((one) => {
        const stored = storedForm(session, one.peek())
        return stored ? [[one.peek().key, stored] as const] : []
      }),
  }
})

/** Returns whether the server has the text. */
export const isSettled = ({ state: { name } }: Written): boolean => name === 'saved' || name === 'answered'

const storedForm = (session: Session, written: Written) => {
  const { text, conversation, draft, asked, edit, at } = written
  return isSettled(written)
    ? undefined
    : { text: withoutMarks(session, text), of: conversation, draft, asked, edit, at }
}
